/** Layouts for tests of passages: lines one below the other, 0.2 inches each. */
import type { Block, Box, Layout, Line, TableBlock, TextBlock, TextBlockKind } from "../../functions/ports/layout.ts";

const LINE_INCHES = 0.2;

const box = (top: number, bottom: number): Box => ({ left: 1, top, right: 6, bottom });

function lineAt(text: string, top: number): Line {
  const at = box(top, top + LINE_INCHES);
  return { box: at, words: text.split(" ").map((word) => ({ text: word, box: at })) };
}

/** A block that is not placed yet. */
type Draft = (top: number) => Block;

const text =
  (kind: TextBlockKind, lines: readonly string[], more: Partial<TextBlock> = {}): Draft =>
  (top) => ({
    kind,
    box: box(top, top + lines.length * LINE_INCHES),
    lines: lines.map((line, at) => lineAt(line, top + at * LINE_INCHES)),
    ...more,
  });

export const heading = (words: string, level = 1): Draft => text("heading", [words], { level });
export const paragraph = (...lines: string[]): Draft => text("paragraph", lines);
export const running = (words: string): Draft => text("header", [words]);

/** A table with a header row, or without one. */
export const table =
  (rows: readonly (readonly string[])[], { headerRows = 1, continued = false } = {}): Draft =>
  (top): TableBlock => ({
    kind: "table",
    box: box(top, top + rows.length * LINE_INCHES),
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    headerRows,
    ...(continued ? { continued: true } : {}),
    cells: rows.flatMap((cells, row) =>
      cells.map((cell, column) => {
        const line = lineAt(cell, top + row * LINE_INCHES);
        return { row, column, rowSpan: 1, columnSpan: 1, box: line.box, lines: [line] };
      }),
    ),
  });

/** A layout of pages of blocks. */
export function layoutOf(...pages: Draft[][]): Layout {
  return {
    v: 3,
    provider: "test",
    logicalPages: false,
    pageCount: pages.length,
    pages: pages.map((drafts, index) => {
      let top = 1;
      const blocks = drafts.map((draft) => {
        const block = draft(top);
        top = block.box.bottom + LINE_INCHES;
        return block;
      });
      return { number: index + 1, width: 8.5, height: 11, unit: "inch" as const, rotation: 0, blocks };
    }),
  };
}

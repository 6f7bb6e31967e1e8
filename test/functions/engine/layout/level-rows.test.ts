import { describe, expect, it } from "vitest";
import { withUprightPage } from "../../../../functions/engine/layout/deskew.ts";
import { middleY } from "../../../../functions/engine/layout/geometry.ts";
import { levellingOf } from "../../../../functions/engine/layout/level-rows.ts";
import { pageWords } from "../../../../functions/engine/layout/page-words.ts";
import { viewDocument } from "../../../../functions/engine/structure/view/document-view.ts";
import type { Line, Page, Word } from "../../../../functions/ports/layout.ts";

const ROWS = 24;
const ROW_INCHES = 0.16;
const HEIGHT_INCHES = 0.1;
/** The upright through the middle of the text, where the paper's rows cross the level ones. */
const MIDDLE = 2.5;

type SlopeOfRow = (row: number) => number;

const rowAt = (row: number): number => 1 + row * ROW_INCHES;

/** A receipt of rows with a name and an amount far from it, each at its own slope. */
function receipt(slopeOf: SlopeOfRow, source: Word["source"] = "ocr"): Page {
  const lines = Array.from({ length: ROWS }, (_, row): Line[] => {
    const word = (text: string, left: number, width: number): Word => {
      const middle = rowAt(row) + slopeOf(row) * (left + width / 2 - MIDDLE);
      const [top, bottom] = [middle - HEIGHT_INCHES / 2, middle + HEIGHT_INCHES / 2];
      return { text, box: { left, top, right: left + width, bottom }, source, confidence: 0.9 };
    };
    const lineOf = (words: Word[]): Line => ({
      words,
      box: {
        left: words[0]?.box.left ?? 0,
        top: Math.min(...words.map(({ box }) => box.top)),
        right: words.at(-1)?.box.right ?? 0,
        bottom: Math.max(...words.map(({ box }) => box.bottom)),
      },
    });
    return [
      lineOf([word(`Item${row}`, 0.5, 0.5), word("of", 1.1, 0.2), word("goods", 1.4, 0.6)]),
      lineOf([word(`${row}.50`, 4.2, 0.4)]),
    ];
  });
  const box = { left: 0.5, top: 0.5, right: 5, bottom: 6 };
  return { number: 1, width: 5.5, height: 6, blocks: [{ kind: "paragraph", box, lines: lines.flat() }] } as Page;
}

/** Bent paper: the rows fall at the top of the page and rise at its end. */
const bent: SlopeOfRow = (row) => 0.04 - (0.08 * row) / ROWS;

const rowsOf = (page: Page): string[] =>
  viewDocument({ version: 1, provider: "ocr", pageCount: 1, pages: [page] } as never).rows.map(({ segments }) =>
    segments.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join(" "),
  );

describe("levellingOf", () => {
  it("levels rows whose slope changes down the page", () => {
    const page = receipt(bent);
    const levelling = levellingOf(page);
    const middles = pageWords(page).map(({ box }) => middleY(levelling?.level(box) ?? box));
    for (let row = 0; row < ROWS; row += 1)
      expect(Math.abs((middles[4 * row] ?? 0) - (middles[4 * row + 3] ?? 1))).toBeLessThan(HEIGHT_INCHES / 3);
    expect(rowsOf(page)).toEqual(Array.from({ length: ROWS }, (_, row) => `Item${row} of goods ${row}.50`));
  });

  it("moves boxes back to where they were", () => {
    const page = receipt(bent);
    const levelling = levellingOf(page);
    for (const { box } of pageWords(page)) {
      const again = levelling?.restore(levelling.level(box));
      expect(again?.top).toBeCloseTo(box.top, 2);
      expect(again?.left).toBe(box.left);
    }
    expect(pageWords(withUprightPage(page, (same) => same))).toEqual(pageWords(page));
  });

  it("leaves level rows, text layers and pages of a few lines as they are", () => {
    expect(levellingOf(receipt(() => 0.002))).toBeNull();
    const textLayer = receipt(bent);
    for (const word of pageWords(textLayer)) {
      delete word.source;
      delete word.confidence;
    }
    expect(levellingOf(textLayer)).toBeNull();
    const [block] = receipt(bent).blocks;
    expect(
      levellingOf({ blocks: block?.kind === "paragraph" ? [{ ...block, lines: block.lines.slice(0, 8) }] : [] }),
    ).toBeNull();
  });
});

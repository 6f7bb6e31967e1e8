/**
 * A stand-in for the LAYOUT, TABLES and FORMS of Amazon Textract, as far as end-to-end tests need it: paragraphs, ruled
 * tables, `Label: value`, and checkboxes with a caption on their right. Found by simple rules in the picture.
 */
import type { Block } from "@aws-sdk/client-textract";
import sharp from "sharp";
import { unionBox } from "../../functions/engine/layout/geometry.ts";
import { withTables } from "../../functions/engine/ocr/tables-of-recognised-text.ts";
import type { Box, Line, Page, Word } from "../../functions/ports/layout.ts";

/** Makes a block at a box in inches. */
export type MakeBlock = (
  type: NonNullable<Block["BlockType"]>,
  box: Box,
  relations?: Record<string, string[]>,
  more?: Partial<Block>,
) => Block;

interface Square {
  box: Box;
  ticked: boolean;
}

const MAX_DARK_GRAY = 128;
/** Side of a checkbox in inches, and up to half as much again when the picture has more pixels than `dpi` says. */
const CHECKBOX_SIDE_INCHES = { least: 0.1, most: 0.4 };
/** Share of dark pixels inside the frame of a checked box. */
const MIN_CHECKED_INK_SHARE = 0.08;
/** The largest distance of a caption from its box, in inches. */
const MAX_CAPTION_GAP_INCHES = 0.5;

/** Squares with a frame, and whether they are checked. @param dpi of the picture */
export async function findSquares(picture: Uint8Array, dpi: number): Promise<Square[]> {
  const { data, info } = await sharp(picture).grayscale().raw().toBuffer({ resolveWithObject: true });
  const isDark = (x: number, y: number): boolean => (data[y * info.width + x] ?? 255) < MAX_DARK_GRAY;
  // One pixel inside the edge, which may be blurred.
  const isFrame = (left: number, top: number, side: number): boolean =>
    Array.from({ length: side - 2 }, (_, at) => at + 1).every(
      (at) => isDark(left + at, top + side - 2) && isDark(left + 1, top + at) && isDark(left + side - 2, top + at),
    );
  const squares: Square[] = [];
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0, run = 0; x <= info.width; x += 1) {
      if (x < info.width && isDark(x, y)) {
        run += 1;
        continue;
      }
      const [left, side] = [x - run, run];
      run = 0;
      if (side < CHECKBOX_SIDE_INCHES.least * dpi || side > CHECKBOX_SIDE_INCHES.most * dpi) continue;
      const box = { left: left / dpi, top: y / dpi, right: (left + side) / dpi, bottom: (y + side) / dpi };
      if (
        squares.some(
          (one) => Math.abs(one.box.left - box.left) + Math.abs(one.box.top - box.top) < CHECKBOX_SIDE_INCHES.least,
        )
      )
        continue;
      // Lines are several pixels wide: the frame closes within that.
      const closes = [0, 1, -1, 2, -2].find((more) => isFrame(left, y, side + more));
      if (closes === undefined) continue;
      const edge = Math.ceil(side / 5);
      let [ink, all] = [0, 0];
      for (let row = y + edge; row < y + side - edge; row += 1) {
        for (let column = left + edge; column < left + side - edge; column += 1, all += 1)
          ink += isDark(column, row) ? 1 : 0;
      }
      squares.push({ box, ticked: ink > MIN_CHECKED_INK_SHARE * all });
    }
  }
  return squares;
}

export interface Analysed {
  page: Page;
  squares: readonly Square[];
  idOf(word: Word): string;
  lineIdOf(line: Line): string;
  make: MakeBlock;
}

/** A label and its value, and any further pairs. */
function pairOf(make: MakeBlock, label: { box: Box; ids: string[] }, value: { box: Box; ids: string[] }): Block[] {
  const filled = make("KEY_VALUE_SET", value.box, { CHILD: value.ids }, { EntityTypes: ["VALUE"] });
  const relations = { CHILD: label.ids, VALUE: [filled.Id ?? ""] };
  return [make("KEY_VALUE_SET", label.box, relations, { EntityTypes: ["KEY"] }), filled];
}

function formsOf({ page, squares, idOf, make }: Analysed): Block[] {
  const lines = page.blocks.flatMap((block) => (block.kind === "table" ? [] : block.lines));
  const part = (words: readonly Word[]) => ({ box: unionBox(words.map(({ box }) => box)), ids: words.map(idOf) });
  const labelled = lines.flatMap(({ words }) => {
    const colon = words.findIndex(({ text }) => text.endsWith(":")) + 1;
    if (colon === 0 || colon === words.length) return [];
    return pairOf(make, part(words.slice(0, colon)), part(words.slice(colon)));
  });
  const ticked = squares.flatMap(({ box, ticked: isTicked }) => {
    const SelectionStatus = isTicked ? ("SELECTED" as const) : ("NOT_SELECTED" as const);
    const mark = make("SELECTION_ELEMENT", box, {}, { SelectionStatus });
    const middle = (box.top + box.bottom) / 2;
    const caption = lines
      .map(({ words }) => words.filter((word) => word.box.left > box.right - 0.02))
      .find(
        ([first]) =>
          first &&
          first.box.left < box.right + MAX_CAPTION_GAP_INCHES &&
          first.box.top < middle &&
          first.box.bottom > middle,
      );
    const own = { box, ids: [mark.Id ?? ""] };
    return caption === undefined ? [mark] : [mark, ...pairOf(make, part(caption), own)];
  });
  return [...labelled, ...ticked];
}

function tablesOf({ page, idOf, make }: Analysed): Block[] {
  return withTables(page).blocks.flatMap((block) => {
    if (block.kind !== "table") return [];
    const cells = block.cells.map((cell) =>
      make(
        "CELL",
        cell.box,
        { CHILD: cell.lines.flatMap(({ words }) => words.map(idOf)) },
        {
          RowIndex: cell.row + 1,
          ColumnIndex: cell.column + 1,
          RowSpan: cell.rowSpan,
          ColumnSpan: cell.columnSpan,
          ...(cell.row < block.headerRows ? { EntityTypes: ["COLUMN_HEADER"] } : {}),
        },
      ),
    );
    return [make("TABLE", block.box, { CHILD: cells.map(({ Id = "" }) => Id) }), ...cells];
  });
}

/** The blocks of an analysis besides lines and words. */
export function analyse(analysed: Analysed): Block[] {
  const { page, lineIdOf, make } = analysed;
  const texts = page.blocks.flatMap((block) =>
    block.kind === "table" ? [] : [make("LAYOUT_TEXT", block.box, { CHILD: block.lines.map(lineIdOf) })],
  );
  return [...tablesOf(analysed), ...formsOf(analysed), ...texts];
}

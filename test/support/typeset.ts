/** Layouts typeset by our own code in a monospaced type, with exactly known positions and sizes. */

import { unionBox } from "../../functions/engine/layout/geometry.ts";
import {
  type Block,
  LAYOUT_VERSION,
  type Layout,
  type Line,
  type TableBlock,
  type Word,
} from "../../functions/ports/layout.ts";

export interface SetLine {
  text: string;
  /** In inches. */
  left?: number;
  /** In inches; by default 1.25 times its size below the line before. */
  top?: number;
  /** In points. */
  size?: number;
  bold?: boolean;
  /** Without a known size, like recognised words. */
  sizeless?: boolean;
  link?: string;
}

const POINTS_PER_INCH = 72;
/** Width of a character as a share of the size. */
const CHARACTER_WIDTH_EM = 0.5;
const LINE_HEIGHT_EM = 1.2;

/** Words between `{{` and `}}` are bold. */
function setWords({ text, left = 1, top = 1, size = 10, bold = false, sizeless = false, link }: SetLine): Word[] {
  const em = size / POINTS_PER_INCH;
  let at = left;
  let strong = bold;
  return text.split(" ").map((raw) => {
    if (raw.startsWith("{{")) strong = true;
    const word = raw.replace(/^\{\{|\}\}$/g, "");
    const right = at + word.length * CHARACTER_WIDTH_EM * em;
    const box = { left: at, top, right, bottom: top + LINE_HEIGHT_EM * em };
    at = right + CHARACTER_WIDTH_EM * em;
    const set: Word = {
      text: word,
      box,
      ...(sizeless ? {} : { fontSize: size }),
      ...(strong ? { bold: true } : {}),
      ...(link === undefined ? {} : { link }),
    };
    if (raw.endsWith("}}")) strong = bold;
    return set;
  });
}

export function setLine(line: SetLine): Line {
  const words = setWords(line);
  return { box: unionBox(words.map((word) => word.box)), words };
}

/** A paragraph as from the reader: lines one below the other unless they have positions. */
export function setBlock(...lines: (SetLine | string)[]): Block {
  let top = 1;
  const set = lines.map((given) => {
    const line = typeof given === "string" ? { text: given } : given;
    const own = { ...line, top: line.top ?? top };
    top = own.top + (1.25 * (line.size ?? 10)) / POINTS_PER_INCH;
    return setLine(own);
  });
  return { kind: "paragraph", box: unionBox(set.map((line) => line.box)), lines: set };
}

/** Blocks one below the other with a line's space between; each is a list of lines. */
export function setPage(...blocks: (SetLine | string)[][]): Block[] {
  let top = 1.5;
  return blocks.map((lines) => {
    const [first, ...rest] = lines.map((line) => (typeof line === "string" ? { text: line } : line));
    const block = setBlock({ ...(first ?? { text: "" }), top: first?.top ?? top }, ...rest);
    top = block.box.bottom + 0.15;
    return block;
  });
}

/** A table of cells with `/` between the lines of a cell; the empty text is an empty cell. */
export function setTable(rows: readonly (readonly string[])[], headerRows = 0): TableBlock {
  const columns = rows[0]?.length ?? 0;
  const cells = rows.flatMap((texts, row) =>
    texts.map((text, column) => {
      const [left, top] = [1 + column * 2, 4 + row * 0.5];
      const lines =
        text === "" ? [] : text.split("/").map((one, at) => setLine({ text: one, left, top: top + at * 0.18 }));
      return { row, column, rowSpan: 1, columnSpan: 1, box: { left, top, right: left + 2, bottom: top + 0.5 }, lines };
    }),
  );
  const box = unionBox(cells.map((cell) => cell.box));
  return { kind: "table", box, rows: rows.length, columns, headerRows, cells };
}

export const setLayout = (...pages: Block[][]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: pages.length,
  pages: pages.map((blocks, index) => ({
    number: index + 1,
    width: 8.5,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks,
  })),
});

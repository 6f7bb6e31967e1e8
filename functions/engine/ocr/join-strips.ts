/** Joins the recognised strips of a page. */
import type { Block, Box, Line } from "../../ports/layout.ts";
import type {
  OcrBlockRole,
  OcrDrawing,
  OcrField,
  OcrPage,
  OcrSpan,
  OcrStrip,
  OcrTable,
  OcrTextInk,
} from "../../ports/ocr.ts";
import { withoutOverlaps } from "../imaging/figure-regions/figures-on-page.ts";
import { unionBox } from "../layout/geometry.ts";
import { blockLines, pageWords } from "../layout/page-words.ts";
import { filterBlocks } from "../layout/word-places.ts";

/** A recognised strip, in its own coordinates. */
export interface RecognisedStrip {
  page: OcrPage;
  strip: OcrStrip;
}

/** Range along the page in which a strip's words count, inches. */
interface StripRange {
  from: number;
  to: number;
}

type Along = (box: Box) => StripRange;

/** Inches, rounded as in the layout: to a tenth of a thousandth. */
const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;

/** Moves a box from its strip to the whole page. */
function moveBox<T extends { box: Box }>(one: T, { left, top }: OcrStrip): T {
  const { box } = one;
  const at = {
    left: round(box.left + left),
    top: round(box.top + top),
    right: round(box.right + left),
    bottom: round(box.bottom + top),
  };
  return { ...one, box: at };
}

const moveLine = (line: Line, strip: OcrStrip): Line =>
  moveBox({ ...line, words: line.words.map((word) => moveBox(word, strip)) }, strip);

function moveBlock(block: Block, strip: OcrStrip): Block {
  if (block.kind !== "table")
    return moveBox({ ...block, lines: block.lines.map((line) => moveLine(line, strip)) }, strip);
  const cells = block.cells.map((cell) =>
    moveBox({ ...cell, lines: cell.lines.map((line) => moveLine(line, strip)) }, strip),
  );
  return moveBox({ ...block, cells }, strip);
}

const moveDrawing = ({ rules, bars, squares = [], leaders = [] }: OcrDrawing, strip: OcrStrip): OcrDrawing => ({
  rules: rules.map((box) => moveBox({ box }, strip).box),
  bars: bars.map((box) => moveBox({ box }, strip).box),
  squares: squares.map((square) => moveBox(square, strip)),
  leaders: leaders.map((box) => moveBox({ box }, strip).box),
});

function movePage({ page, strip }: RecognisedStrip): OcrPage {
  const spans = (list: OcrSpan[]): OcrSpan[] => list.map((span) => moveBox(span, strip));
  return {
    ...page,
    page: {
      ...page.page,
      width: strip.page.width,
      height: strip.page.height,
      blocks: page.page.blocks.map((block) => moveBlock(block, strip)),
    },
    tables: page.tables.map((table) => ({
      ...moveBox(table, strip),
      cells: table.cells.map((cell) => moveBox(cell, strip)),
      titles: spans(table.titles),
      footers: spans(table.footers),
    })),
    fields: page.fields.map((field) => ({ ...field, label: moveBox(field.label, strip), values: spans(field.values) })),
    figures: (page.figures ?? []).map((box) => moveBox({ box }, strip).box),
    ...(page.drawn === undefined ? {} : { drawn: moveDrawing(page.drawn, strip) }),
    ...(page.barcodes === undefined ? {} : { barcodes: page.barcodes.map((code) => moveBox(code, strip)) }),
  };
}

/** Seam of two strips: the middle of the widest gap between words in their shared part. */
function seamOf(before: OcrPage, after: OcrPage, { from, to }: StripRange, along: Along): number {
  const words = [before, after].flatMap(({ page }) => pageWords(page).map(({ box }) => along(box)));
  const inside = words.filter((word) => word.to > from && word.from < to).sort((a, b) => a.from - b.from);
  let [end, best] = [from, { width: 0, middle: (from + to) / 2 }];
  for (const word of [...inside, { from: to, to }]) {
    if (word.from - end > best.width) best = { width: word.from - end, middle: (word.from + end) / 2 };
    end = Math.max(end, word.to);
  }
  return best.middle;
}

interface KeptParts {
  blocks: Block[];
  roles: OcrBlockRole[];
  tables: OcrTable[];
  fields: OcrField[];
}

/** The kept part of a table that goes on in another strip, its rows counted from one. */
function keepTable(table: OcrTable, isKept: (box: Box) => boolean, keepSpan: (span: OcrSpan) => OcrSpan): OcrTable[] {
  const cells = table.cells.filter(({ box }) => isKept(box));
  if (cells.length === 0) return [];
  const first = Math.min(...cells.map(({ row }) => row));
  const own = cells.map((cell) => ({ ...cell, ...keepSpan(cell), row: cell.row - first + 1 }));
  return [
    {
      ...table,
      box: unionBox(cells.map(({ box }) => box)),
      rows: own.reduce((most, { row, rowSpan }) => Math.max(most, row + rowSpan - 1), 0),
      cells: own,
      titles: table.titles.filter(({ box }) => isKept(box)).map(keepSpan),
      footers: table.footers.filter(({ box }) => isKept(box)).map(keepSpan),
    },
  ];
}

/** The parts of a strip within its range. @param before number of words that the page already has */
function keepWithin(ocr: OcrPage, { from, to }: StripRange, along: Along, before: number): KeptParts {
  const isKept = (box: Box): boolean => {
    const own = along(box);
    const middle = (own.from + own.to) / 2;
    return middle >= from && middle < to;
  };
  const positions = new Map<number, number>();
  for (const [position, { box }] of pageWords(ocr.page).entries()) {
    if (isKept(box)) positions.set(position, before + positions.size);
  }
  const keepSpan = (span: OcrSpan): OcrSpan => ({
    ...span,
    words: span.words.flatMap((position) => positions.get(position) ?? []),
  });
  const kept: KeptParts = {
    blocks: [],
    roles: [],
    tables: ocr.tables.flatMap((table) => keepTable(table, isKept, keepSpan)),
    fields: ocr.fields
      .filter(({ label }) => isKept(label.box))
      .map((field) => ({ ...field, label: keepSpan(field.label), values: field.values.map(keepSpan) })),
  };
  for (const [index, block] of ocr.page.blocks.entries()) {
    const [left] = filterBlocks([block], ({ box }) => isKept(box));
    if (left === undefined) continue;
    kept.blocks.push(left);
    kept.roles.push(ocr.roles[index] ?? "text");
  }
  return kept;
}

/** The angle of the strip with most words. */
const angleOf = (pages: readonly OcrPage[]): number =>
  [...pages].sort((a, b) => pageWords(b.page).length - pageWords(a.page).length)[0]?.angle ?? 0;

/**
 * Joins the strips of a page. Parts that two strips show are taken from the one on whose side of the seam they stand;
 * the seam avoids words where it can.
 * @param strips of one page, in their order; some may be missing, but not all
 * @throws RangeError for none
 */
export function joinStrips(strips: readonly RecognisedStrip[]): OcrPage {
  const [first] = strips;
  if (first === undefined) throw new RangeError("A page needs at least one strip");
  const { page: whole } = first.strip;
  const isTall = whole.height >= whole.width;
  const along: Along = ({ left, top, right, bottom }) =>
    isTall ? { from: top, to: bottom } : { from: left, to: right };
  const pages = strips.map(movePage);
  const ranges = strips.map(({ page, strip }): StripRange => {
    const from = isTall ? strip.top : strip.left;
    return { from, to: from + (isTall ? page.page.height : page.page.width) };
  });
  const seams = pages.slice(1).map((page, index) => {
    const [before, shared] = [pages[index] ?? page, { from: ranges[index + 1]?.from ?? 0, to: ranges[index]?.to ?? 0 }];
    return shared.to > shared.from ? seamOf(before, page, shared, along) : shared.from;
  });
  const all: KeptParts = { blocks: [], roles: [], tables: [], fields: [] };
  let words = 0;
  for (const [index, page] of pages.entries()) {
    const kept = keepWithin(page, { from: seams[index - 1] ?? -Infinity, to: seams[index] ?? Infinity }, along, words);
    words += kept.blocks.flatMap(blockLines).reduce((sum, line) => sum + line.words.length, 0);
    all.blocks.push(...kept.blocks);
    all.roles.push(...kept.roles);
    all.tables.push(...kept.tables);
    all.fields.push(...kept.fields);
  }
  // Barcodes of two strips are there twice: merging them into the layout takes each once.
  const barcodes = pages.flatMap((page) => page.barcodes ?? []);
  const drawn = pages.flatMap((page) => page.drawn ?? []);
  const ink = pages.flatMap(({ strayInk }) => (strayInk === undefined ? [] : [strayInk]));
  const textInk = pages.flatMap((page) => page.textInk ?? []);
  const sum = (member: keyof OcrTextInk): number => textInk.reduce((all, one) => all + one[member], 0);
  return {
    page: { ...first.page.page, width: whole.width, height: whole.height, blocks: all.blocks },
    angle: angleOf(pages),
    roles: all.roles,
    tables: all.tables,
    fields: all.fields,
    ...(barcodes.length === 0 ? {} : { barcodes }),
    ...(drawn.length === 0
      ? {}
      : {
          drawn: {
            rules: drawn.flatMap(({ rules }) => rules),
            bars: drawn.flatMap(({ bars }) => bars),
            squares: drawn.flatMap(({ squares = [] }) => squares),
            leaders: drawn.flatMap(({ leaders = [] }) => leaders),
          },
        }),
    figures: withoutOverlaps(pages.flatMap((page) => page.figures ?? [])),
    ...(textInk.length === 0 ? {} : { textInk: { read: sum("read"), unread: sum("unread") } }),
    ...(ink.length === 0 ? {} : { strayInk: ink.reduce((sum, one) => sum + one, 0) / ink.length }),
  };
}

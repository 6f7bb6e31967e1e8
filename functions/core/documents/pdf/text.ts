/** The text layer of a PDF page as a page of the layout model. */
import { type Block, type Box, type Line, type Page, unionBox, type Word } from "../layout.ts";
import { findTables, toBlock } from "../tables/find.ts";
import type { Drawing, TableLine } from "../tables/model.ts";
import { arrangeAround } from "../tables/order.ts";
import { type Frame, splitFrames, turnBox } from "./frames.ts";
import { type Glyph, pageGlyphs } from "./glyphs.ts";
import { formLines } from "./lines.ts";
import type { PdfPage } from "./reader.ts";
import { pageDrawing, turnDrawing } from "./rules.ts";
import { formWords, type PlacedWord } from "./words.ts";

const POINTS_PER_INCH = 72;

/** Points to inches, to a tenth of a thousandth. */
const toInches = (points: number): number => Math.round((points / POINTS_PER_INCH) * 10_000) / 10_000;

const clamp = (value: number, limit: number): number => Math.min(Math.max(value, 0), limit);

/** From a frame's points back to the page's inches, within the page. */
function toPageBox(box: Box, angle: number, page: PdfPage): Box {
  const turned = turnBox(box, angle);
  return {
    left: toInches(clamp(turned.left, page.width)),
    top: toInches(clamp(turned.top, page.height)),
    right: toInches(clamp(turned.right, page.width)),
    bottom: toInches(clamp(turned.bottom, page.height)),
  };
}

function toWord(word: PlacedWord, angle: number, page: PdfPage): Word {
  return {
    text: word.text,
    box: toPageBox(word.box, angle, page),
    fontSize: Math.round(word.size * 100) / 100,
    ...(word.bold ? { bold: true } : {}),
  };
}

function toLine(line: TableLine<PlacedWord>, angle: number, page: PdfPage): Line {
  const words = line.words.map((word) => toWord(word, angle, page));
  return { box: unionBox(words.map((word) => word.box)), words };
}

function placeLines(glyphs: readonly Glyph[]): TableLine<PlacedWord>[] {
  return formLines(formWords(glyphs)).map(({ words, size }) => ({
    words,
    size,
    baseline: words[0]?.baseline ?? 0,
    box: unionBox(words.map((word) => word.box)),
  }));
}

/** The blocks of a frame in reading order; tables only where a drawing is given. */
function toBlocks({ angle, glyphs }: Frame, page: PdfPage, drawing: Drawing | undefined): Block[] {
  const placed = placeLines(glyphs);
  const { tables, rest } = drawing === undefined ? { tables: [], rest: placed } : findTables(placed, drawing);
  return arrangeAround(rest, tables).map((part): Block => {
    if ("table" in part) {
      const { table } = part;
      return toBlock(
        table,
        (line) => toLine(line, angle, page),
        (box) => toPageBox(box, angle, page),
      );
    }
    const lines = part.lines.map((line) => toLine(line, angle, page));
    return { kind: "paragraph", box: unionBox(lines.map((line) => line.box)), lines };
  });
}

/**
 * Words, lines, tables and other blocks of a page in reading order, boxes in inches from the top left corner of the page
 * as shown. Text in other directions follows the upright text; tables are looked for in the direction of most of it.
 */
export function readPage(page: PdfPage, number: number): Page {
  const frames = splitFrames(pageGlyphs(page));
  const main = frames.reduce<Frame | undefined>(
    (most, frame) => (most === undefined || frame.glyphs.length > most.glyphs.length ? frame : most),
    undefined,
  );
  const drawing = main === undefined ? undefined : turnDrawing(pageDrawing(page), main.angle);
  return {
    number,
    width: toInches(page.width),
    height: toInches(page.height),
    unit: "inch",
    rotation: page.rotation,
    blocks: frames.flatMap((frame) => toBlocks(frame, page, frame === main ? drawing : undefined)),
  };
}

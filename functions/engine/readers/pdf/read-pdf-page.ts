/** The text layer of a PDF page as a page of the layout model. */
import type { Block, Box, Line, Page, Word } from "../../../ports/layout.ts";
import { boxAround } from "../../layout/geometry.ts";
import { findTables, toBlock } from "../../structure/tables/find-tables.ts";
import { arrangeAround } from "../../structure/tables/table-order.ts";
import type { Drawing, TableLine } from "../../structure/tables/table-parts.ts";
import { formLines } from "./form-lines.ts";
import { formWords, type PlacedWord } from "./form-words.ts";
import type { Glyph } from "./glyph.ts";
import { pageDrawing, rotateDrawing } from "./page-drawing.ts";
import { pageGlyphs } from "./page-glyphs.ts";
import type { PdfPage } from "./pdf-page.ts";
import { toInches } from "./points-to-inches.ts";
import { rotateBox, splitByDirection, type TextDirection } from "./text-directions.ts";

const clamp = (value: number, limit: number): number => Math.min(Math.max(value, 0), limit);

/** Converts points of a text direction to inches of the page, clamped to the page. */
function toPageBox(box: Box, angle: number, page: PdfPage): Box {
  const turned = rotateBox(box, angle);
  return {
    left: toInches(clamp(turned.left, page.width)),
    top: toInches(clamp(turned.top, page.height)),
    right: toInches(clamp(turned.right, page.width)),
    bottom: toInches(clamp(turned.bottom, page.height)),
  };
}

function toWord(word: PlacedWord, angle: number, page: PdfPage): Word {
  const { text, size, bold } = word;
  const placed: Word = { text, box: toPageBox(word.box, angle, page), fontSize: Math.round(size * 100) / 100 };
  if (bold) placed.bold = true;
  return placed;
}

function toLine(line: TableLine<PlacedWord>, angle: number, page: PdfPage): Line {
  const words = line.words.map((word) => toWord(word, angle, page));
  return { box: boxAround(words), words };
}

function placeLines(glyphs: readonly Glyph[]): TableLine<PlacedWord>[] {
  return formLines(formWords(glyphs)).map(({ words, size }) => ({
    words,
    size,
    baseline: words[0]?.baseline ?? 0,
    box: boxAround(words),
  }));
}

/** The blocks of one text direction in reading order; tables only with a drawing. */
function toBlocks({ angle, glyphs }: TextDirection, page: PdfPage, drawing: Drawing | undefined): Block[] {
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
    return { kind: "paragraph", box: boxAround(lines), lines };
  });
}

/** Tells whether most of a page's text is sideways or upside down, which then is the page's own direction. */
function isPageRotated(main: TextDirection | undefined, frames: readonly TextDirection[]): main is TextDirection {
  if (main === undefined || main.angle === 0 || main.angle % 90 !== 0) return false;
  return 2 * main.glyphs.length > frames.reduce((sum, { glyphs }) => sum + glyphs.length, 0);
}

/**
 * Reads words, lines, tables and other blocks of a page in reading order, with boxes in inches from the top left corner
 * of the page as shown. The upright text, or the direction of most of the text, comes first and others follow. Tables
 * are detected in the main direction only; `tables: false` skips them when only words and their order are needed.
 */
export function readPdfPage(page: PdfPage, number: number, { tables = true } = {}): Page {
  const found = splitByDirection(pageGlyphs(page));
  const main = found.reduce<TextDirection | undefined>(
    (most, frame) => (most === undefined || frame.glyphs.length > most.glyphs.length ? frame : most),
    undefined,
  );
  const isTurned = isPageRotated(main, found);
  const frames = isTurned ? [main, ...found.filter((frame) => frame !== main)] : found;
  const drawing = main === undefined || !tables ? undefined : rotateDrawing(pageDrawing(page), main.angle);
  return {
    number,
    width: toInches(page.width),
    height: toInches(page.height),
    unit: "inch",
    rotation: page.rotation,
    ...(isTurned ? { angle: main.angle > 180 ? main.angle - 360 : main.angle } : {}),
    blocks: frames.flatMap((frame) => toBlocks(frame, page, frame === main ? drawing : undefined)),
  };
}

/** Converts the words of a level picture to a page of the layout model. */

import { type AffineMap, compose, mapBox, scaling } from "../../../engine/imaging/affine.ts";
import type { PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import { median, unionBox } from "../../../engine/layout/geometry.ts";
import type { PlacedLine } from "../../../engine/structure/line-rows.ts";
import { arrangeLines } from "../../../engine/structure/reading-order.ts";
import type { Box, Line, Page, Word } from "../../../ports/layout.ts";
import type { OcrDrawing, OcrFrame, OcrPage } from "../../../ports/ocr.ts";
import type { PageReading } from "./read-picture.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Words of a line farther apart than this belong to different columns or cells. */
const MIN_COLUMN_GAP_EM = 1.2;
const POINTS_PER_INCH = 72;
const MAX_DRAWN_BOXES = 1_000;
/**
 * Heights of letters in ems: from the baseline to the top of small letters, to that of tall ones, and below it; typical
 * of text faces (Times, Helvetica).
 */
const SMALL_LETTER_EM = 0.49;
const TALL_LETTER_EM = 0.71;
const DESCENDER_EM = 0.21;
const HAS_TALL = /[\p{Lu}\p{N}bdfhklt]/u;
const HAS_DESCENDERS = /[gjpqyQ,;()[\]{}]/u;
const HAS_LETTERS = /[\p{L}\p{N}]/u;

/** To a tenth of a thousandth of an inch. */
const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;
const clamp = (value: number, limit: number): number => round(Math.min(Math.max(value, 0), limit));

/** Size of the type in inches, from a word's height; undefined for signs, which have any height. */
function emOfWord({ text, box }: ReadWord): number | undefined {
  if (!HAS_LETTERS.test(text)) return undefined;
  const ems = (HAS_TALL.test(text) ? TALL_LETTER_EM : SMALL_LETTER_EM) + (HAS_DESCENDERS.test(text) ? DESCENDER_EM : 0);
  return (box.bottom - box.top) / ems;
}

interface LevelLine extends PlacedLine {
  words: ReadWord[];
}

function placeLine(words: ReadWord[]): LevelLine {
  const box = unionBox(words.map((word) => word.box));
  const ems = words.map(emOfWord).filter((em) => em !== undefined);
  const size = ems.length === 0 ? box.bottom - box.top : median(ems);
  const below = words.some(({ text }) => HAS_DESCENDERS.test(text)) ? DESCENDER_EM * size : 0;
  return { words, box, size, baseline: box.bottom - below };
}

/** Lines as they were recognised, cut at gaps between columns. */
function formLines(words: readonly ReadWord[]): LevelLine[] {
  const lines = new Map<number, ReadWord[]>();
  for (const word of words) {
    const line = lines.get(word.line);
    if (line === undefined) lines.set(word.line, [word]);
    else line.push(word);
  }
  return [...lines.values()].flatMap((line) => {
    const { size } = placeLine(line);
    const parts: ReadWord[][] = [];
    for (const word of line) {
      const part = parts.at(-1);
      const before = part?.at(-1);
      // Either way round: some scripts run from right to left.
      const gap =
        before === undefined ? 0 : Math.max(word.box.left - before.box.right, before.box.left - word.box.right);
      if (part === undefined || gap > MIN_COLUMN_GAP_EM * size) parts.push([word]);
      else part.push(word);
    }
    return parts.map(placeLine);
  });
}

function toPageBox(box: Box, toPage: AffineMap, { width, height }: OcrFrame): Box {
  const { left, top, right, bottom } = mapBox(box, toPage);
  return {
    left: clamp(left, width),
    top: clamp(top, height),
    right: clamp(right, width),
    bottom: clamp(bottom, height),
  };
}

function toLine(line: LevelLine, toPage: AffineMap, frame: OcrFrame): Line {
  const fontSize = Math.round(line.size * POINTS_PER_INCH * 2) / 2;
  const words = line.words.map(
    ({ text, confidence, box }): Word => ({
      text,
      box: toPageBox(box, toPage, frame),
      confidence,
      source: "ocr",
      ...(fontSize > 0 ? { fontSize } : {}),
    }),
  );
  return { box: unionBox(words.map((word) => word.box)), words };
}

/** True if a word lies on the page; the level picture also has the corners that turning leaves. */
const isOnPage = ({ box }: ReadWord, { gray, dpi }: PreparedPicture): boolean =>
  box.left < gray.width / dpi && box.top < gray.height / dpi;

/** Rules and bars on the page, the longest first; more than the limit are a pattern. */
function drawnOnPage({ drawn }: PreparedPicture, frame: OcrFrame): OcrDrawing {
  const onPage = scaling(1, 1);
  const longest = ({ left, top, right, bottom }: Box): number => Math.max(right - left, bottom - top);
  const placed = (boxes: readonly Box[]): Box[] =>
    [...boxes]
      .sort((a, b) => longest(b) - longest(a))
      .slice(0, MAX_DRAWN_BOXES)
      .map((box) => toPageBox(box, onPage, frame));
  return {
    rules: placed(drawn.rules),
    bars: placed(drawn.bars),
    squares: (drawn.squares ?? [])
      .slice(0, MAX_DRAWN_BOXES)
      .map(({ box, ink }) => ({ box: toPageBox(box, onPage, frame), ink: Math.round(ink * 1000) / 1000 })),
    leaders: placed(drawn.leaders ?? []),
  };
}

/** Converts a reading to a recognised page. @param number of the page, from 1 */
export function toOcrPage({ prepared, words, strayInk }: PageReading, frame: OcrFrame, number: number): OcrPage {
  const toPage = compose(prepared.toPage, scaling(prepared.dpi, prepared.dpi));
  const blocks = arrangeLines(formLines(words.filter((word) => isOnPage(word, prepared))));
  const page: Page = {
    number,
    width: frame.width,
    height: frame.height,
    unit: "inch",
    rotation: frame.rotation ?? 0,
    blocks: blocks.map((block) => {
      const lines = block.map((line) => toLine(line, toPage, frame));
      return { kind: "paragraph", box: unionBox(lines.map(({ box }) => box)), lines };
    }),
  };
  return {
    page,
    angle: prepared.angle,
    roles: page.blocks.map(() => "text"),
    tables: [],
    fields: [],
    strayInk: Math.round(strayInk * 10_000) / 10_000,
    drawn: drawnOnPage(prepared, frame),
  };
}

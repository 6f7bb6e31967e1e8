/** Reads and judges the answer of an OCR provider, and makes a page of the layout model of it. */
import * as z from "zod";
import { median, unionBox } from "../../engine/layout/geometry.ts";
import type { PlacedLine } from "../../engine/structure/line-rows.ts";
import { arrangeLines } from "../../engine/structure/reading-order.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import type { Box, Line, Page, Word } from "../../ports/layout.ts";
import type { OcrFrame, OcrPage } from "../../ports/ocr.ts";

/** The densest printed pages (a newspaper's) have some 5,000 words; a page of figures has 3,000. */
export const MAX_PAGE_WORDS = 20_000;
/** Longest word in characters: an address of the Web is the longest that stands on pages. */
const MAX_WORD_CHARACTERS = 500;
/** Share of the picture by which a box may stand over its edge: recognisers round outwards. */
const EDGE_TOLERANCE = 0.02;
/** Largest measure of a picture in the answer's own unit. */
const MAX_MEASURE = 1_000_000;
/** Words of a line farther apart than this, in heights of the line, belong to different columns or cells. */
const MIN_COLUMN_GAP_HEIGHTS = 1.6;

const number = z.number().min(-MAX_MEASURE).max(MAX_MEASURE);
const measure = z.number().positive().max(MAX_MEASURE);
const word = z.object({
  text: z.string().min(1).max(MAX_WORD_CHARACTERS),
  box: z.tuple([number, number, number, number]),
  confidence: z.number().min(0).max(1),
});
const answer = z.object({
  width: measure,
  height: measure,
  angle: z.number().gt(-180).max(180).optional(),
  lines: z.array(z.object({ words: z.array(word) })).max(MAX_PAGE_WORDS),
});
type Answer = z.output<typeof answer>;
type AnsweredWord = z.output<typeof word>;

/** An answer that does not keep the contract. Its message names the member, and quotes nothing of the answer. */
export class UnusableAnswer extends Error {}

function parseAnswer(body: Uint8Array): Answer {
  let value: unknown;
  try {
    value = parseJsonBytes<unknown>(body);
  } catch {
    throw new UnusableAnswer("it is not JSON");
  }
  const read = answer.safeParse(value);
  if (!read.success) {
    // Paths have names of members only where the contract has them: the shapes have no free names.
    const at = read.error.issues[0]?.path.map(String).join("/") ?? "";
    throw new UnusableAnswer(`/${at} is missing or has a wrong value`);
  }
  const count = read.data.lines.reduce((sum, { words }) => sum + words.length, 0);
  if (count > MAX_PAGE_WORDS) throw new UnusableAnswer(`it has more than ${MAX_PAGE_WORDS} words`);
  return read.data;
}

const round = (inches: number): number => Math.round(inches * 10_000) / 10_000;

/** A word's box in inches of the page. @throws UnusableAnswer for a box without area or off the picture */
function boxOf({ box }: AnsweredWord, place: string, { width, height }: Answer, frame: OcrFrame): Box {
  const [left, top, right, bottom] = box;
  const isOn = (from: number, to: number, size: number): boolean =>
    from < to && from >= -EDGE_TOLERANCE * size && to <= (1 + EDGE_TOLERANCE) * size && from < size && to > 0;
  if (!isOn(left, right, width) || !isOn(top, bottom, height)) {
    throw new UnusableAnswer(`${place}/box is not [left, top, right, bottom] inside the picture`);
  }
  const across = (at: number): number => round((Math.min(Math.max(at, 0), width) / width) * frame.width);
  const down = (at: number): number => round((Math.min(Math.max(at, 0), height) / height) * frame.height);
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

interface ReadLine extends PlacedLine {
  line: Line;
}

function placeLine(words: Word[]): ReadLine {
  const box = unionBox(words.map((one) => one.box));
  const size = median(words.map((one) => one.box.bottom - one.box.top));
  return { line: { box, words }, box, size, baseline: box.bottom };
}

/** Cuts a line at gaps between columns. */
function cutAtGaps(words: readonly Word[]): Word[][] {
  const size = median(words.map(({ box }) => box.bottom - box.top));
  const parts: Word[][] = [];
  for (const one of words) {
    const part = parts.at(-1);
    const before = part?.at(-1)?.box;
    // Either way round: some scripts run from right to left.
    const gap = before === undefined ? 0 : Math.max(one.box.left - before.right, before.left - one.box.right);
    if (part === undefined || gap > MIN_COLUMN_GAP_HEIGHTS * size) parts.push([one]);
    else part.push(one);
  }
  return parts;
}

/** The words of an answer, without those that are only white space. @throws UnusableAnswer */
function readLines(read: Answer, frame: OcrFrame): ReadLine[] {
  return read.lines.flatMap(({ words }, at) => {
    const placed = words.flatMap((one, index): Word[] => {
      const box = boxOf(one, `/lines/${at}/words/${index}`, read, frame);
      const text = one.text.replaceAll(/\s+/g, " ").trim();
      const isDrawn = box.right > box.left && box.bottom > box.top;
      return text === "" || !isDrawn ? [] : [{ text, box, confidence: one.confidence, source: "ocr" }];
    });
    return placed.length === 0 ? [] : cutAtGaps(placed).map(placeLine);
  });
}

/**
 * Makes a page of an answer's body.
 * @param pageNumber from 1 @throws UnusableAnswer
 */
export function toOcrPage(body: Uint8Array, frame: OcrFrame, pageNumber: number): OcrPage {
  const read = parseAnswer(body);
  const blocks = arrangeLines(readLines(read, frame));
  const page: Page = {
    number: pageNumber,
    width: frame.width,
    height: frame.height,
    unit: "inch",
    rotation: frame.rotation ?? 0,
    blocks: blocks.map((block) => {
      const lines = block.map(({ line }) => line);
      return { kind: "paragraph", box: unionBox(lines.map(({ box }) => box)), lines };
    }),
  };
  return { page, angle: read.angle ?? 0, roles: page.blocks.map(() => "text"), tables: [], fields: [] };
}

/** Finds headings among pieces of text, and their levels over the whole document. */
import type { Box, Line } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import { wordsOf } from "../values/vocabulary/languages.ts";
import { anyOf } from "../values/vocabulary/word-patterns.ts";
import { isProse, isSlanted, rowText } from "./block-rows.ts";
import { LEADER } from "./caption-labels.ts";
import type { BlockPiece } from "./cut-blocks.ts";
import { isConjunction } from "./layout-text.ts";
import { type Typography, toHalves } from "./typography.ts";

/** Ratio of heading type to the body's; sizes estimated from the height of words vary by a quarter. */
const MIN_HEADING_SIZE_RATIO = 1.15;
const MIN_HEADING_SIZE_RATIO_INEXACT = 1.45;
/** Ratio of a title's type to the body's, whatever its number of rows. */
const MIN_TITLE_SIZE_RATIO = 1.5;
/** Ratio of sizes that count as one. */
const SAME_SIZE_RATIO = 1.04;
const SAME_SIZE_RATIO_INEXACT = 1.25;
const MAX_HEADING_ROWS = 4;
const MAX_HEADING_WORDS = 25;
/** Words of a sentence that can be a heading. */
const MAX_SENTENCE_WORDS = 12;
const MAX_LEVEL = 6;

/** `2.3 Scope`, `IV. Results`, `A. Methods`, `§ 5 Liability`, `Annex B`, `Kapitel 2`. */
const NUMBERED = /^(?:(\d{1,3}(?:\.\d{1,3}){0,5})[.)]?|[A-Z]\.|[IVX]{1,5}\.|§\s*\d{1,4}[a-z]?)\s+["“„]?\p{Lu}/u;
const NAMED = new RegExp(
  `^(?:${anyOf(wordsOf(({ layout }) => layout.headings))})\\s+(?:\\d{1,3}(?:\\.\\d{1,3}){0,5}|[A-Z]|[IVX]{1,5})(?![\\p{L}\\p{N}])`,
  "iu",
);
/** Start of a heading; text that begins with a small letter or a dash continues something else. */
const BEGINNING = /^["“„«‘'¿¡[§]?\s?[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;

interface HeadingCandidate {
  piece: BlockPiece;
  box: Box;
  /** Text of pieces that can be headings; of longer ones their first row. */
  text: string;
  /** Number of characters, estimated for long pieces. */
  length: number;
  size: number;
  bold: boolean;
  caps: boolean;
  /** Number of parts of its number: 2 for `2.3`; 1 without a number. */
  depth: number;
  numbered: boolean;
  /** True if it can be a heading: short, in words, rows one below the other. */
  fit: boolean;
}

/** True for wording; amounts, dates and rows of signs are none. */
function isWording(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  const signs = text.match(/\S/gu)?.length ?? 1;
  return /\p{L}{2}|[\p{Lo}]/u.test(text) && letters >= 0.5 * signs;
}

function isFit(piece: BlockPiece, text: string): boolean {
  if (piece.mark !== undefined || piece.rows.length > MAX_HEADING_ROWS) return false;
  const words = text.split(" ").length;
  if (!BEGINNING.test(text) || words > MAX_HEADING_WORDS || /[,;]$/.test(text) || LEADER.test(text) || !isWording(text))
    return false;
  if (/[.!?]$/.test(text) && words > MAX_SENTENCE_WORDS) return false;
  // A watermark is large type, and so is the `AND` between the boxes of a chart.
  if (isConjunction(text) || piece.rows.some(isSlanted)) return false;
  // `3   Scope` has its number apart; any other row of parts is a label with a value.
  return piece.rows.every(({ lines: [first, second, third] }) => {
    if (second === undefined) return true;
    return third === undefined && first?.words.length === 1 && isNumbered(text) && !isPageNumber(second);
  });
}

/** `Appendix   99` is an entry of a contents list. */
const isPageNumber = ({ words }: Line): boolean => words.length === 1 && /^\d{1,5}$/.test(words[0]?.text ?? "");

const isNumbered = (text: string): boolean => NUMBERED.test(text) || NAMED.test(text);

const isCapitals = (text: string): boolean =>
  text === text.toUpperCase() && text !== text.toLowerCase() && (text.match(/\p{L}/gu)?.length ?? 0) >= 4;

function toCandidate(piece: BlockPiece): HeadingCandidate {
  const { rows } = piece;
  const text = (rows.length > MAX_HEADING_ROWS ? rows.slice(0, 1) : rows).map(rowText).join(" ");
  const fit = isFit(piece, text);
  return {
    piece,
    box: unionBox(rows.map((row) => row.box)),
    text,
    length: rows.length > MAX_HEADING_ROWS ? text.length * rows.length : text.length,
    size: toHalves(rows[0]?.size ?? 0),
    bold: rows.every((row) => row.bold),
    caps: isCapitals(text),
    depth: fit ? (NUMBERED.exec(text)?.[1] ?? "").split(".").length : 1,
    numbered: fit && isNumbered(text),
    fit,
  };
}

/** Sizes, larger than the body's, of which more is set as headings than as text. */
function headingSizes(looks: readonly HeadingCandidate[], { body, exact }: Typography): Set<number> {
  const characters = new Map<number, { heading: number; text: number }>();
  for (const { size, fit, length } of looks) {
    const own = characters.get(size) ?? { heading: 0, text: 0 };
    own[fit ? "heading" : "text"] += length;
    characters.set(size, own);
  }
  const least = body * (exact ? MIN_HEADING_SIZE_RATIO : MIN_HEADING_SIZE_RATIO_INEXACT);
  const larger = [...characters].filter(([size, { heading, text }]) => size >= least && heading >= text);
  return new Set(larger.map(([size]) => size));
}

/** True if `next` stands below in the same column. */
const isAbove = (look: HeadingCandidate, next: HeadingCandidate): boolean =>
  next.box.top >= look.box.bottom - 0.5 * (look.box.bottom - look.box.top) &&
  next.box.left < look.box.right &&
  next.box.right > look.box.left;

/** True if it is no further from what it heads than from what stands before it. */
function belongsBelow(before: HeadingCandidate | undefined, look: HeadingCandidate, next: HeadingCandidate): boolean {
  if (before === undefined || !isAbove(before, look)) return true;
  const em = look.size / 72;
  return look.box.top - before.box.bottom >= next.box.top - look.box.bottom - 0.25 * em;
}

/** True if a piece in the body's size heads what follows: bold, capitals or a number, above running text. */
function headsText(
  before: HeadingCandidate | undefined,
  look: HeadingCandidate,
  next: HeadingCandidate | undefined,
  nextHeads: boolean,
): boolean {
  if (next === undefined || !isAbove(look, next) || !belongsBelow(before, look, next)) return false;
  if (look.text.endsWith(":") || look.piece.rows.length > 2) return false;
  const row = next.piece.rows[0];
  const isText = row !== undefined && !next.bold && !next.caps && (isProse(row) || next.piece.mark !== undefined);
  if (!isText && !nextHeads) return false;
  if (look.bold || (look.caps && isText)) return true;
  if (!look.numbered || look.piece.rows.length > 1 || /[.!?]$/.test(look.text)) return false;
  return look.text.split(" ").length <= MAX_SENTENCE_WORDS && look.box.left - next.box.left < look.size / 72;
}

function headingsOfPage(
  looks: readonly HeadingCandidate[],
  sizes: ReadonlySet<number>,
  { body }: Typography,
): HeadingCandidate[] {
  const headings: HeadingCandidate[] = [];
  let nextHeads = false;
  for (let at = looks.length - 1; at >= 0; at -= 1) {
    const look = looks[at];
    if (look === undefined) continue;
    // A stack of larger rows is more often an address than a title.
    const tall = look.piece.rows.length > 2 && !look.bold && look.size < MIN_TITLE_SIZE_RATIO * body;
    const heads: boolean =
      look.fit &&
      ((sizes.has(look.size) && !tall) ||
        (look.size >= 0.95 * body && headsText(looks[at - 1], look, looks[at + 1], nextHeads)));
    if (heads) headings.push(look);
    nextHeads = heads;
  }
  return headings.reverse();
}

/** Groups sizes into classes, each named by its largest size. */
function classSizes(headings: readonly HeadingCandidate[], exact: boolean): Map<number, number> {
  const step = exact ? SAME_SIZE_RATIO : SAME_SIZE_RATIO_INEXACT;
  const classes = new Map<number, number>();
  let largest = Infinity;
  for (const size of [...new Set(headings.map((look) => look.size))].sort((a, b) => b - a)) {
    if (largest > step * size) largest = size;
    classes.set(size, largest);
  }
  return classes;
}

/**
 * Rank of a heading: larger before smaller, fewer numbers before more; in the body's size bold before capitals before
 * neither.
 */
function rankOf(look: HeadingCandidate, sizes: ReadonlyMap<number, number>, largest: number): number {
  const weight = look.size > largest || look.bold ? 0 : look.caps ? 1 : 2;
  return -100 * (sizes.get(look.size) ?? 0) + 10 * look.depth + weight;
}

/** Levels of ranks in order; the rarest ranks join their neighbours until there are no more ranks than levels. */
function levelRanks(ranks: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const rank of ranks) counts.set(rank, (counts.get(rank) ?? 0) + 1);
  const classes = [...counts].sort(([a], [b]) => a - b).map(([rank, count]) => ({ ranks: [rank], count }));
  while (classes.length > MAX_LEVEL) {
    let at = 1;
    for (let index = 2; index < classes.length; index += 1) {
      const pair = (classes[index]?.count ?? 0) + (classes[index - 1]?.count ?? 0);
      if (pair < (classes[at]?.count ?? 0) + (classes[at - 1]?.count ?? 0)) at = index;
    }
    const [merged] = classes.splice(at, 1);
    const into = classes[at - 1];
    if (merged === undefined || into === undefined) break;
    into.ranks.push(...merged.ranks);
    into.count += merged.count;
  }
  return new Map(classes.flatMap((one, index) => one.ranks.map((rank) => [rank, index + 1])));
}

function levelHeadings(headings: readonly HeadingCandidate[], { body, exact }: Typography): Map<BlockPiece, number> {
  const sizes = classSizes(headings, exact);
  const rank = (look: HeadingCandidate): number => rankOf(look, sizes, MIN_HEADING_SIZE_RATIO * body);
  const levels = levelRanks(headings.map(rank));
  return new Map(headings.map((look) => [look.piece, levels.get(rank(look)) ?? MAX_LEVEL]));
}

/**
 * Finds the headings among the pieces of a document's pages, with their levels: 1 the most important, 6 the least.
 * @param pages the pieces of each page in reading order, without captions and running lines
 * @param firstPage position of the document's first page, whose largest heading is the title; absent where it was not
 * read
 */
export function findHeadings(
  pages: readonly (readonly BlockPiece[])[],
  typography: Typography,
  firstPage: number | undefined,
): Map<BlockPiece, number> {
  const looks = pages.map((pieces) => pieces.map(toCandidate));
  const sizes = headingSizes(looks.flat(), typography);
  const headings = looks.map((own) => headingsOfPage(own, sizes, typography));
  const levels = levelHeadings(headings.flat(), typography);
  const title = (headings[firstPage ?? -1] ?? []).reduce<HeadingCandidate | undefined>(
    (largest, look) => (largest === undefined || look.size > largest.size ? look : largest),
    undefined,
  );
  if (title !== undefined && sizes.has(title.size)) levels.set(title.piece, 1);
  return levels;
}

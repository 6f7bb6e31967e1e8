/**
 * A layout as extraction looks at it: tokens on visual rows, across blocks, cut into segments at wide gaps. Inches from
 * the top left corner of the page as its text stands upright, which is the page as shown but for turned scans.
 */
import { type Box, blockLines, type Layout, type Page, pageWords, unionBox, type Word } from "../documents/layout.ts";
import { uprightPage } from "../documents/upright.ts";
import { labelWords } from "./formats/text.ts";
import { type FieldPair, viewPairs } from "./pairs.ts";
import { levelMiddle, pageSlope } from "./slope.ts";
import { type TableView, viewTables } from "./tableview.ts";
import { withAngle } from "./turned.ts";

/** A word, or a part of one cut at a colon (`Nr:123`); parts share the word's box. */
export interface Token {
  text: string;
  /** Its words as labels spell them (`labelWords`). */
  words: readonly string[];
  /** The words joined, as label keys are. */
  key: string;
  /** Where the page's text stands upright. */
  box: Box;
  /** As the page is shown: the word, and the block that it belongs to. */
  shown: { box: Box; block: Box };
  page: number;
  /** Position of the word in the page's reading order, from 0. */
  index: number;
  /** Box of the block that the word belongs to. */
  block: Box;
  confidence: number;
  /** Height of the type in inches, as near as is known. */
  em: number;
  bold: boolean;
  /** Recognised in a picture. */
  recognised: boolean;
}

/** Words of one row without a wide gap between them. */
export interface Segment {
  page: number;
  /** Position of its row in the document. */
  row: number;
  tokens: Token[];
  /** The tokens with single spaces, none inside a word that kerning broke. */
  text: string;
  /** Where each token begins in `text`. */
  starts: number[];
  box: Box;
}

export interface Row {
  page: number;
  index: number;
  box: Box;
  segments: Segment[];
}

export interface PageView {
  number: number;
  width: number;
  height: number;
  rows: Row[];
}

export interface DocumentView {
  pages: PageView[];
  /** All rows, page after page, top to bottom. */
  rows: Row[];
  segments: Segment[];
  /** The tables that the reader told apart, page after page. */
  tables: TableView[];
  /** What the reader paired with labels, by the label, page after page. */
  pairs: ReadonlyMap<Segment, FieldPair>;
}

/** A gap of this many ems parts two segments; between words that the reader put on different lines, less is enough. */
const SEGMENT_GAP = 0.95;
const LINE_GAP = 0.6;

/** Letters this near, in ems, are parts of one word that its kerning broke: the narrowest spaces are twice as wide. */
const KERNING_GAP = 0.07;

const BULLET = /^[|·•∙●▪■]$/u;
const BULLET_GAP = 2.5;

interface Placed extends Token {
  line: number;
  /** Height of its middle, in inches, were the page's lines level. */
  middle: number;
}

/** `Date:2020-01-01` → `Date:` + `2020-01-01`, `n°12` → `n°` + `12`; times and addresses stay whole. */
function cutWord(text: string): string[] {
  const match =
    /^(\p{L}[\p{L}\p{N}.°#/()-]*:)(?!\/\/)(\S+)$/u.exec(text) ?? /^((?:n[°º]\.?|nr\.|no\.|num\.))(\d\S*)$/iu.exec(text);
  return match?.[1] !== undefined && match[2] !== undefined ? [match[1], match[2]] : [text];
}

type Spelling = (text: string) => Pick<Token, "words" | "key">;

/** Label words, worked out once for each spelling: a document repeats itself. */
function rememberSpelling(): Spelling {
  const known = new Map<string, Pick<Token, "words" | "key">>();
  return (text) => {
    let spelling = known.get(text);
    if (spelling === undefined) {
      const words = labelWords(text);
      spelling = { words, key: words.join("") };
      known.set(text, spelling);
    }
    return spelling;
  };
}

function placeWord(
  word: Word,
  at: Pick<Placed, "page" | "index" | "block" | "shown" | "line">,
  slope: number,
  spell: Spelling,
): Placed[] {
  const height = word.box.bottom - word.box.top;
  const em = word.fontSize === undefined ? height : word.fontSize / 72;
  const recognised = word.source === "ocr" || word.confidence !== undefined;
  const middle = levelMiddle(word.box, slope);
  const shared = {
    ...at,
    middle,
    box: word.box,
    confidence: word.confidence ?? 1,
    em,
    bold: word.bold ?? false,
    recognised,
  };
  return cutWord(word.text).map((text) => ({ ...shared, ...spell(text), text }));
}

/** @param shown the same page as it is shown */
function placeWords(page: Page, shown: Page, spell: Spelling, tokensOf: Map<Word, Token[]>): Placed[] {
  const placed: Placed[] = [];
  const slope = pageSlope(pageWords(page));
  const [shownWords, shownBlocks] = [pageWords(shown), shown.blocks];
  let index = 0;
  let line = 0;
  for (const [place, block] of page.blocks.entries()) {
    const shownBlock = shownBlocks[place]?.box ?? block.box;
    for (const { words } of blockLines(block)) {
      for (const word of words) {
        if (word.text.trim() !== "") {
          const shownBox = { box: shownWords[index]?.box ?? word.box, block: shownBlock };
          const at = { page: page.number, index, block: block.box, shown: shownBox, line };
          const tokens = placeWord(word, at, slope, spell);
          tokensOf.set(word, tokens);
          placed.push(...tokens);
        }
        index += 1;
      }
      line += 1;
    }
  }
  return placed;
}

/** Do a word and a row stand on one line? Recognised words' boxes hug their ink: they share a line when most of the lower one lies beside the other. */
function sharesRow(token: Placed, row: { middle: number; height: number }): boolean {
  const height = token.box.bottom - token.box.top;
  const apart = token.middle - row.middle;
  if (!token.recognised) return apart <= 0.5 * Math.min(height, row.height);
  const low = Math.min(height, row.height);
  return (height + row.height) / 2 - apart >= 0.5 * low && apart <= 0.5 * Math.max(height, row.height);
}

/** Words whose middles lie within half a height of the row's own middle share a row. */
function groupRows(placed: Placed[]): Placed[][] {
  const sorted = [...placed].sort((a, b) => a.middle - b.middle || a.box.left - b.box.left || a.index - b.index);
  const rows: { words: Placed[]; middle: number; height: number }[] = [];
  for (const token of sorted) {
    const height = token.box.bottom - token.box.top;
    const row = rows.at(-1);
    if (row !== undefined && sharesRow(token, row)) {
      const count = row.words.length;
      row.words.push(token);
      row.middle = (row.middle * count + token.middle) / (count + 1);
      row.height = Math.max(row.height, height);
    } else {
      rows.push({ words: [token], middle: token.middle, height });
    }
  }
  // Parts of one word share a box: their order of arrival (index, then position) must survive the sort.
  return rows.map(({ words }) => words.sort((a, b) => a.box.left - b.box.left || a.index - b.index));
}

/** Was one word broken between these two? Where letters stand apart by a hair, and neither is a number or a mark. */
function isBroken(before: Token | undefined, token: Token): boolean {
  if (before === undefined || before.recognised || before.index === token.index) return false;
  const gap = token.box.left - before.box.right;
  const letters = /\p{L}$/u.test(before.text) && /^\p{L}/u.test(token.text);
  return letters && Math.abs(gap) < KERNING_GAP * Math.min(before.em, token.em);
}

function makeSegment(tokens: Token[], page: number, row: number): Segment {
  const starts: number[] = [];
  let text = "";
  for (const [at, token] of tokens.entries()) {
    if (text !== "" && !isBroken(tokens[at - 1], token)) text += " ";
    starts.push(text.length);
    text += token.text;
  }
  return { page, row, tokens, text, starts, box: unionBox(tokens.map((token) => token.box)) };
}

function cutSegments(words: Placed[], page: number, row: number): Segment[] {
  const segments: Segment[] = [];
  let current: Placed[] = [];
  for (const token of words) {
    const before = current.at(-1);
    // A colon set apart belongs to the label before it, however wide the gap.
    if (before !== undefined && !/^[:：]+$/.test(token.text)) {
      const gap = token.box.left - before.box.right;
      const em = Math.max(before.em, token.em);
      // Bullets between the parts of a line hold it together.
      const held = (BULLET.test(token.text) || BULLET.test(before.text)) && gap < BULLET_GAP * em;
      if (!held && (gap > SEGMENT_GAP * em || (gap > LINE_GAP * em && token.line !== before.line))) {
        segments.push(makeSegment(current, page, row));
        current = [];
      }
    }
    current.push(token);
  }
  if (current.length > 0) segments.push(makeSegment(current, page, row));
  return segments;
}

/** Rows and segments of every page of a layout. */
export function viewDocument(layout: Layout): DocumentView {
  const spell = rememberSpelling();
  const rows: Row[] = [];
  const tokensOf = new Map<Word, Token[]>();
  const upright = { ...layout, pages: layout.pages.map((page) => uprightPage(withAngle(page))) };
  const pages = upright.pages.map((page, at) => {
    const own = groupRows(placeWords(page, layout.pages[at] ?? page, spell, tokensOf)).map((words): Row => {
      const index = rows.length;
      const row = {
        page: page.number,
        index,
        box: unionBox(words.map((word) => word.box)),
        segments: cutSegments(words, page.number, index),
      };
      rows.push(row);
      return row;
    });
    return { number: page.number, width: page.width, height: page.height, rows: own };
  });
  const segments = rows.flatMap((row) => row.segments);
  const rowOf = new Map(segments.flatMap(({ tokens, row }) => tokens.map((token): [Token, number] => [token, row])));
  const pairs = new Map(viewPairs(layout, upright, { tokensOf, rowOf, makeSegment }).map((pair) => [pair.label, pair]));
  return { pages, rows, segments, tables: viewTables(upright, tokensOf), pairs };
}

/** The tokens of a segment that text positions `start` to `end` touch. */
export function tokensBetween(segment: Segment, start: number, end: number): Token[] {
  return segment.tokens.filter((token, index) => {
    const from = segment.starts[index] ?? 0;
    return from < end && start < from + token.text.length;
  });
}

/** The box around some tokens. @throws RangeError for none */
export const unionOf = (tokens: readonly Token[]): Box => unionBox(tokens.map((token) => token.box));

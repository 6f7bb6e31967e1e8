/** Words, segments and rows of a document as extraction sees them. Inches from the top left corner of the upright page. */
import type { Box } from "../../../ports/layout.ts";
import { middleY, unionBox } from "../../layout/geometry.ts";

/** A word, or a part of one cut at a colon (`Nr:123`); parts share the word's box. */
export interface Token {
  text: string;
  /** Its words as labels spell them (`labelWords`), corrected where recognition is unsure of one and a letter off. */
  words: readonly string[];
  /** The words joined, like label keys. */
  key: string;
  /** Box on the upright page. */
  box: Box;
  /** Boxes on the page as shown: of the word, and of its block. */
  shown: { box: Box; block: Box };
  page: number;
  /** Position of the word in the page's reading order, from 0. */
  index: number;
  /** Box of the block that the word belongs to. */
  block: Box;
  confidence: number;
  /** Size of the type in inches, as near as is known. */
  em: number;
  bold: boolean;
  /** True if it was recognised in a picture. */
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
  /** Start of each token in `text`. */
  starts: number[];
  box: Box;
}

export interface Row {
  page: number;
  index: number;
  box: Box;
  segments: Segment[];
}

/** The tokens of a segment that text positions `start` to `end` touch. */
export function tokensBetween(segment: Segment, start: number, end: number): Token[] {
  return segment.tokens.filter((token, index) => {
    const from = segment.starts[index] ?? 0;
    return from < end && start < from + token.text.length;
  });
}

/** The recognition confidence of the least certain token; 1 for none. */
export const leastConfidence = (tokens: readonly Token[]): number =>
  tokens.reduce((least, { confidence }) => Math.min(least, confidence), 1);

/** The box around tokens. @throws RangeError for none */
export const unionOf = (tokens: readonly Token[]): Box => unionBox(tokens.map((token) => token.box));

/** Groups neighbours on one line: their boxes overlap vertically. */
export function lineRuns(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = [];
  for (const token of tokens) {
    const before = runs.at(-1)?.at(-1);
    const middle = middleY(token.box);
    if (
      before !== undefined &&
      middle > before.box.top &&
      middle < before.box.bottom &&
      token.box.left >= before.box.left
    )
      runs.at(-1)?.push(token);
    else runs.push([token]);
  }
  return runs;
}

/** Words, segments and rows of a document as extraction sees them. Inches from the top left corner of the upright page. */
import type { Box } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";

/** A word, or a part of one cut at a colon (`Nr:123`); parts share the word's box. */
export interface Token {
  text: string;
  /** Its words as labels spell them (`labelWords`), also where recognition is unsure of one and a letter off. */
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

/** The tokens of a segment that text positions `start` to `end` touch. */
export function tokensBetween(segment: Segment, start: number, end: number): Token[] {
  return segment.tokens.filter((token, index) => {
    const from = segment.starts[index] ?? 0;
    return from < end && start < from + token.text.length;
  });
}

/** The box around some tokens. @throws RangeError for none */
export const unionOf = (tokens: readonly Token[]): Box => unionBox(tokens.map((token) => token.box));

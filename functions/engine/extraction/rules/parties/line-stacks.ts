/** Stacks: lines that stand under one another with one left edge, as letterheads and addresses do. */

import { median } from "../../../layout/geometry.ts";
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import {
  isCountry,
  isNameLike,
  isParticular,
  isStreet,
  placeIn,
  salutationLength,
} from "../../../values/party-names.ts";
import type { LabelMap } from "../find-labels.ts";

/** A stretch of a segment's text. */
export interface Stretch {
  segment: Segment;
  start: number;
  end: number;
  text: string;
}

export interface Stack {
  lines: Segment[];
  page: number;
  /** Inches. */
  left: number;
  top: number;
  bottom: number;
}

/** Text positions `start` to `end` of a segment, white space at the ends left out. */
export const stretch = (segment: Segment, start: number, end: number): Stretch => {
  const raw = segment.text.slice(start, end);
  const lead = raw.length - raw.trimStart().length;
  const text = raw.trim();
  return { segment, start: start + lead, end: start + lead + text.length, text };
};

/** The tokens that a stretch touches. */
export const tokensOf = ({ segment, start, end }: Stretch): Token[] => tokensBetween(segment, start, end);

/** Edges this near are one edge; lines this far apart (in heights) are one stack. Inches, factor. */
const EDGE = 0.09;
const LINE_STEP = 2.1;

/** Joins the segments of some pages into stacks, top to bottom. */
export function findStacks(view: DocumentView, pages: number): Stack[] {
  const stacks: Stack[] = [];
  for (const row of view.rows) {
    if (row.page > pages) break;
    for (const segment of row.segments) {
      const height = segment.box.bottom - segment.box.top;
      const stack = stacks.findLast(
        (candidate) =>
          candidate.page === row.page &&
          Math.abs(candidate.left - segment.box.left) < EDGE &&
          segment.box.top - candidate.bottom < LINE_STEP * Math.max(height, 0.08) - height * 0.7 &&
          segment.box.top > candidate.top,
      );
      if (stack === undefined) {
        stacks.push({
          lines: [segment],
          page: row.page,
          left: segment.box.left,
          top: segment.box.top,
          bottom: segment.box.bottom,
        });
      } else {
        stack.lines.push(segment);
        stack.bottom = Math.max(stack.bottom, segment.box.bottom);
      }
    }
  }
  return stacks;
}

/** Marks that part name, street and place on one line. */
const PARTING = /\s*[|·•∙●▪■*]\s*|\s+[-–—]\s+|\s*,\s+/gu;

/**
 * The name that a line holds: without a form of address before it, and without the street and place behind it.
 * @param lenient where the place says that it is a name, and capitals need not
 * @returns null when what is left is no name
 */
export function nameIn(segment: Segment, from = 0, lenient = false): Stretch | null {
  const text = segment.text.slice(from);
  if (placeIn(text)?.start === 0) return null;
  const begin = salutationLength(text);
  let end = text.length;
  const parts = [...text.matchAll(PARTING)];
  const rest = (at: RegExpExecArray): string => text.slice(at.index + at[0].length);
  // `Name, Inc.` stays whole; `Name · Street 1 · 12345 Place` does not.
  const cut = parts.find(
    (mark) =>
      mark.index > begin &&
      (placeIn(rest(mark)) !== null || isStreet(rest(mark)) || isParticular(rest(mark)) || /[|·•∙●▪■]/u.test(mark[0])),
  );
  if (cut !== undefined) end = cut.index;
  const found = stretch(segment, from + begin, from + end);
  if (found.text.endsWith(":")) return null;
  const whole = found.text.replace(/[,;|]+$/, "");
  return isNameLike(whole, lenient) && placeIn(whole)?.start !== 0 && !isStreet(whole)
    ? { ...found, end: found.start + whole.length, text: whole }
    : null;
}

/** A whole address on one line: something, marks, and the place behind it, as windows of envelopes show the sender. */
export function isAddressLine(text: string): boolean {
  const place = text.length < 140 ? placeIn(text) : null;
  if (place === null || place.start < 3 || !/[|·•∙●▪■,–—-]\s*$/u.test(text.slice(0, place.start))) return false;
  return !/[.:]\s\p{Lu}/u.test(text.replace(/\b\p{L}{1,4}\.\s/gu, ""));
}

/**
 * The stretch of lines from `from` on that reads as an address, up to its place and country; without a postal code, up to
 * a country below a street.
 */
export function addressLines(stack: Stack, from: number, labels: LabelMap): Segment[] {
  const lines: Segment[] = [];
  let placed = false;
  for (const line of stack.lines.slice(from, from + 7)) {
    const hits = labels.bySegment.get(line) ?? [];
    const labelled = hits.some((hit) => hit.from === 0 && (hit.colon || hit.to === line.tokens.length));
    if (placed && !isCountry(line.text)) break;
    if (labelled && placeIn(line.text) === null && !isStreet(line.text)) break;
    lines.push(line);
    if (placeIn(line.text) !== null || (isCountry(line.text) && lines.some(({ text }) => isStreet(text))))
      placed = true;
  }
  return placed ? lines : [];
}

/** So much larger than the lines below it the name of a letterhead is set; in an address one size is used. */
const LETTERHEAD = 1.3;

const typeOf = ({ tokens }: Segment): number => median(tokens.map(({ em }) => em));

/** Is a line set in larger type than each line of the address below it, as letterheads and tills do? */
export function headsLetter(stack: Stack, index: number, labels: LabelMap): boolean {
  const line = stack.lines[index];
  const below = addressLines(stack, index, labels).filter((other) => other !== line);
  return line !== undefined && below.length > 0 && below.every((other) => typeOf(line) >= LETTERHEAD * typeOf(other));
}

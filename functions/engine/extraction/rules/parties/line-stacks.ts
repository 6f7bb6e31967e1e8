/** Stacks of lines with one left edge, such as letterheads and addresses. */

import { median } from "../../../layout/geometry.ts";
import type { DocumentView } from "../../../structure/view/document-view.ts";
import { type Row, type Segment, type Token, tokensBetween } from "../../../structure/view/tokens.ts";
import {
  isCountry,
  isLegalForm,
  isNameLike,
  isParticular,
  isSalutation,
  isStreet,
  nameLength,
  placeIn,
  salutationLength,
} from "../../../values/party-names.ts";
import type { LabelMap } from "../find-labels.ts";

/** A range of a segment's text. */
export interface TextRange {
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
  /** The first line's. */
  right: number;
  top: number;
  bottom: number;
}

/** Text positions `start` to `end` of a segment, without white space at the ends. */
export const textRange = (segment: Segment, start: number, end: number): TextRange => {
  const raw = segment.text.slice(start, end);
  const lead = raw.length - raw.trimStart().length;
  const text = raw.trim();
  return { segment, start: start + lead, end: start + lead + text.length, text };
};

/** The tokens in a text range. */
export const tokensOf = ({ segment, start, end }: TextRange): Token[] => tokensBetween(segment, start, end);

const SAME_EDGE_INCHES = 0.09;
/** Distance of the lines of one stack. */
const MAX_LINE_STEP_HEIGHTS = 2.1;
const MIN_LINE_HEIGHT_INCHES = 0.08;

/** Height of the first line of a stack, if it has no other yet and is larger: the name of a letterhead. */
function headHeight({ lines: [first, second] }: Stack, height: number): number {
  const own = first === undefined || second !== undefined ? 0 : first.box.bottom - first.box.top;
  return own > MIN_LETTERHEAD_SIZE_RATIO * height ? own : 0;
}

const SAME_RIGHT_EDGE_INCHES = 0.04;

/** The line ends where the stack does, as in letterheads on the right: each is the last of its row, and has words. */
const isRightAligned = ({ right, lines }: Stack, segment: Segment, row: Row): boolean =>
  Math.abs(right - segment.box.right) < SAME_RIGHT_EDGE_INCHES &&
  row.segments.at(-1) === segment &&
  [...lines, segment].every(({ text }) => /\p{L}{2,}/u.test(text) && !/[:€$]/u.test(text));

/** Joins the segments of some pages into stacks, top to bottom. */
export function findStacks(view: DocumentView, pages: number): Stack[] {
  const stacks: Stack[] = [];
  for (const row of view.rows) {
    if (row.page > pages) break;
    for (const segment of row.segments) {
      const height = segment.box.bottom - segment.box.top;
      const near = stacks.filter(
        (candidate) =>
          candidate.page === row.page &&
          segment.box.top - candidate.bottom <
            MAX_LINE_STEP_HEIGHTS * Math.max(height, headHeight(candidate, height), MIN_LINE_HEIGHT_INCHES) -
              height * 0.7 &&
          segment.box.top > candidate.top,
      );
      // A recipient's form of address begins another address, right below the sender's too.
      const begins = isSalutation(segment.text);
      const stack = begins
        ? undefined
        : (near.findLast(({ left }) => Math.abs(left - segment.box.left) < SAME_EDGE_INCHES) ??
          near.findLast((candidate) => isRightAligned(candidate, segment, row)));
      if (stack === undefined) {
        stacks.push({
          lines: [segment],
          page: row.page,
          left: segment.box.left,
          right: segment.box.right,
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

/** Separators of name, street and place on one line. */
const ADDRESS_SEPARATOR = /\s*[|·•∙●▪■*]\s*|\s+[-–—]\s+|\s*,\s+/gu;

/**
 * The name in a line, without a salutation before it and the street and place behind it.
 * @param lenient the line's place shows that it is a name; capitals are not needed
 * @param to where another label begins
 * @returns null when the rest is no name
 */
export function nameIn(segment: Segment, begins = 0, lenient = false, to = segment.text.length): TextRange | null {
  // `Kunde :Petra`: a colon may touch the name.
  const from = begins + (/^\s*[:：]/u.exec(segment.text.slice(begins, to))?.[0].length ?? 0);
  const text = segment.text.slice(from, to).replace(/[\s,;|]+$/, "");
  if (placeIn(text)?.start === 0) return null;
  const begin = salutationLength(text);
  let end = text.length;
  const parts = [...text.matchAll(ADDRESS_SEPARATOR)];
  const rest = (at: RegExpExecArray): string => text.slice(at.index + at[0].length);
  /** The part behind a separator, up to the next one. */
  const part = (at: RegExpExecArray): string =>
    text.slice(at.index + at[0].length, parts[parts.indexOf(at) + 1]?.index ?? text.length);
  // `Name, Inc.` stays whole; `Name · Street 1 · 12345 Place` does not.
  const cut = parts.find(
    (mark) =>
      mark.index > begin &&
      !isLegalForm(part(mark)) &&
      (placeIn(rest(mark)) !== null || isStreet(part(mark)) || isParticular(rest(mark)) || /[|·•∙●▪■]/u.test(mark[0])),
  );
  if (cut !== undefined) end = cut.index;
  const found = textRange(segment, from + begin, from + end);
  if (found.text.endsWith(":")) return null;
  const whole = found.text.slice(0, nameLength(found.text)).replace(/[,;|]+$/, "");
  return isNameLike(whole, lenient) && placeIn(whole)?.start !== 0 && !isStreet(whole)
    ? { ...found, end: found.start + whole.length, text: whole }
    : null;
}

/** Parts of a sender's line with signs between them that nothing else has there. */
const SEVERAL_PARTS = /\S\s*[·•∙●▪■]\s*[\p{L}\d].*\s[·•∙●▪■]\s*[\p{L}\d]/u;

/**
 * A whole address on one line, with separators before the place or behind a legal form, as in the sender's line of window
 * envelopes.
 */
export function isAddressLine(text: string): boolean {
  if (text.length < MAX_ADDRESS_LINE_CHARS && SEVERAL_PARTS.test(text) && /\d/.test(text)) return true;
  const place = text.length < MAX_ADDRESS_LINE_CHARS ? placeIn(text) : null;
  if (place === null || place.start < 3) return false;
  if (!/[|·•∙●▪■,–—-]\s*$/u.test(text.slice(0, place.start)) && nameLength(text) > place.start) return false;
  return !/[.:]\s\p{Lu}/u.test(text.replace(/\b\p{L}{1,4}\.\s/gu, ""));
}

/**
 * The lines of an address from `from` on, up to its place and country; without a postal code, up to a country below a
 * street.
 */
export function addressLines(stack: Stack, from: number, labels: LabelMap): Segment[] {
  const lines: Segment[] = [];
  let placed = false;
  for (const line of stack.lines.slice(from, from + MAX_ADDRESS_LINES)) {
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

const MAX_ADDRESS_LINES = 7;
const MAX_ADDRESS_LINE_CHARS = 140;

/** Type size of a letterhead's name against the lines below it; addresses have one size. */
const MIN_LETTERHEAD_SIZE_RATIO = 1.3;

const medianEm = ({ tokens }: Segment): number => median(tokens.map(({ em }) => em));

/** A line has larger type than each line of the address below it, as in letterheads and receipts. */
export function isLetterheadName(stack: Stack, index: number, labels: LabelMap): boolean {
  const line = stack.lines[index];
  const below = addressLines(stack, index, labels).filter((other) => other !== line);
  return (
    line !== undefined &&
    below.length > 0 &&
    below.every((other) => medianEm(line) >= MIN_LETTERHEAD_SIZE_RATIO * medianEm(other))
  );
}

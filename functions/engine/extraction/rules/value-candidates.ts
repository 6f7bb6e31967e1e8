/** The values that are read in the places of labels. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { currencyOf } from "../../values/currencies.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { proseIn } from "./running-prose.ts";
import { ALIGNMENT_WEIGHTS, leadFactor, skipFactor } from "./scoring.ts";
import type { Reader, Reading } from "./value-reader.ts";
import { alignmentWeight, pairedZones, type Relation, type Zone, zonesOf } from "./value-zones.ts";

export { alignmentWeight, pairedZones, type Relation, type Zone, zonesOf } from "./value-zones.ts";

export interface Candidate {
  value: string | number | boolean;
  tokens: Token[];
  /** 0 to 1. */
  score: number;
  relation: Relation | "pattern" | "place";
  segment: Segment;
  hit: LabelHit | null;
  /** The print lacks its decimal mark: only a sum proves the value. */
  repaired?: true;
}

/** Characters of a zone that are read; a hostile line may be endless. */
const MAX_ZONE_CHARS = 600;

/** Number of words between label and value that belong to neither; currencies do not count. */
function countSkippedWords(text: string): number {
  return (text.match(/\p{L}[\p{L}\p{N}]+/gu) ?? []).filter((word) => currencyOf(word) === null).length;
}

/** Drops the number sign of `Invoice #88`; behind a label for a number it belongs to the code. */
function withoutNumberSign(value: Candidate["value"], zone: Zone, hit: LabelHit): Candidate["value"] {
  const says = hit.segment.tokens[hit.to - 1]?.words.at(-1)?.endsWith("nr") ?? false;
  if (typeof value !== "string" || says || zone.relation !== "after") return value;
  return value.replace(/^#(?=[\p{L}\d])/u, "");
}

/** Text beside a label without a colon may be the next label, as on blank forms. */
const UNANNOUNCED_TEXT_FACTOR = 0.75;
const LINE_NUMBER_FACTOR = 0.3;

/** A small number before words is the number of a form's line: `4 Social security tax withheld`. */
const isLineNumber = ({ relation }: Zone, { start, end, value }: Reading, text: string): boolean =>
  relation !== "after" &&
  start === 0 &&
  /^\d{1,3}\p{L}?$/u.test(text.slice(0, end)) &&
  typeof value !== "boolean" &&
  countSkippedWords(text.slice(end)) > 1;

/** Reads a zone. @returns candidates with positions in the whole segment */
export function readZone(zone: Zone, reader: Reader, hit: LabelHit): Candidate[] {
  const text = zone.segment.text.slice(zone.start, Math.min(zone.end, zone.start + MAX_ZONE_CHARS));
  const leftovers = zone.relation === "after" ? 1 : leftoverFactor(hit);
  return reader.read(text).flatMap((reading: Reading) => {
    const tokens = tokensBetween(zone.segment, zone.start + reading.start, zone.start + reading.end);
    if (tokens.length === 0) return [];
    const between = text.slice(0, reading.start);
    const skipped =
      (reader.kind === "text" ? 1 : skipFactor(countSkippedWords(between))) * foreignFactor(zone, hit, between);
    const uncertain = reader.free === true && !hit.colon && zone.relation !== "paired" ? UNANNOUNCED_TEXT_FACTOR : 1;
    const numbered = isLineNumber(zone, reading, text) ? LINE_NUMBER_FACTOR : 1;
    const score =
      hit.strength * leadFactor(hit) * zone.weight * leftovers * skipped * uncertain * numbered * reading.fit;
    return [
      {
        value: withoutNumberSign(reading.value, zone, hit),
        tokens,
        score,
        relation: zone.relation,
        segment: zone.segment,
        hit,
      },
    ];
  });
}

/** Factor of a label that goes on to a colon and is another one (`Invoice date, original:`). */
const OTHER_LABEL_FACTOR = 0.6;
const goesOnToColon = (hit: LabelHit, behind: string): boolean => !hit.colon && /\p{L}{3,}[^:]*:/u.test(behind);

const foreignFactor = (zone: Zone, hit: LabelHit, between: string): number =>
  zone.relation === "after" && goesOnToColon(hit, between) ? OTHER_LABEL_FACTOR : 1;

/** A label that goes on after its last word may be another label. */
function leftoverFactor(hit: LabelHit): number {
  const at = hit.segment.starts[hit.to] ?? hit.segment.text.length;
  const rest = hit.segment.text.slice(at, at + MAX_ZONE_CHARS);
  if (hit.colon && rest === "") return 1;
  return skipFactor(countSkippedWords(rest)) * (goesOnToColon(hit, rest) ? OTHER_LABEL_FACTOR : 1);
}

/** All candidates of a concept's labels. */
export function candidatesFor(
  hits: readonly LabelHit[],
  view: DocumentView,
  labels: LabelMap,
  reader: Reader,
): Candidate[] {
  return hits.flatMap((hit) =>
    zonesOf(hit, view, labels, reader.kind)
      .filter((zone) => reader.free !== true || standsAlone(zone, hit, view, labels))
      .flatMap((zone) => readZone(zone, reader, hit)),
  );
}

/** A text is a label of its own: by a colon, or by all of its words, but for the number of a form's line. */
function isLabelText(segment: Segment, labels: LabelMap): boolean {
  const { text, tokens } = segment;
  if (/:\s*$|^[^:]*\p{L}{2}:\s/u.test(text)) return true;
  const hits = labels.bySegment.get(segment) ?? [];
  return hits.some((hit) => hit.to === tokens.length && beginsLine(hit));
}

/** Before the label of a line there is nothing, or the line's number or mark: `4a. Name`, `• Treasurer`. */
const beginsLine = ({ segment, from }: LabelHit): boolean =>
  segment.tokens.slice(0, from).every(({ text }: Token) => /^\d{0,3}\p{L}?\W*$/u.test(text));

/** The label is all that its cell holds, but for a remark in brackets. */
const fillsCell = ({ segment, to, colon }: LabelHit): boolean =>
  colon || /^\s*(?:[([].*)?$/.test(segment.text.slice(segment.starts[to] ?? segment.text.length));

/** Share of a line's height between two lines of one stack. */
const MAX_STACK_GAP_SHARE = 0.6;

/** A line inside of an address or a letterhead heads nothing: another one of its type stands right above it. */
function isInsideStack({ box, row, page, tokens: [first] }: Segment, view: DocumentView): boolean {
  const above = view.rows[row - 1]?.segments.find(
    (other) => alignmentWeight(other.box, box) >= ALIGNMENT_WEIGHTS.middle,
  );
  const [word] = above?.tokens ?? [];
  if (above === undefined || word === undefined || first === undefined || above.page !== page) return false;
  const isAlike = word.bold === first.bold && Math.abs(word.em - first.em) < MAX_EM_DIFFERENCE_SHARE * first.em;
  return isAlike && box.top - above.box.bottom < MAX_STACK_GAP_SHARE * (box.bottom - box.top);
}

/** Difference of two sizes of type that are one. */
const MAX_EM_DIFFERENCE_SHARE = 0.08;

/**
 * A text in a zone is a whole phrase: what follows a colon or fills a cell. The rest of a line behind a word, a label, a
 * line of a paragraph and a line that goes on below are none.
 */
function standsAlone({ relation, segment, start }: Zone, hit: LabelHit, view: DocumentView, labels: LabelMap): boolean {
  const paragraph = proseIn(view.segments).get(segment);
  // A line in lower case goes on with the label above it or before it.
  const continues = !hit.colon && /^\p{Ll}/u.test(segment.text);
  if (relation === "below" && !hit.colon && isInsideStack(hit.segment, view)) return false;
  // Cells that begin with the same word are labels of one kind: `Signature of lender`, `Signature of borrower`.
  const isSibling = hit.from > 0 && segment !== hit.segment && segment.tokens[0]?.text === hit.segment.tokens[0]?.text;
  if (isSibling) return false;
  if (relation !== "after")
    return paragraph === undefined && !continues && !isLabelText(segment, labels) && fillsCell(hit);
  const goesOn = paragraph !== undefined && paragraph.at(-1) !== segment;
  return hit.colon && beginsLine(hit) && !goesOn && /\p{L}|\d/u.test(segment.text.slice(start));
}

/** All candidates that the reader paired with labels. Contradicting checkboxes of one label are dropped. */
export function pairedCandidates(hits: readonly LabelHit[], view: DocumentView, reader: Reader): Candidate[] {
  return hits.flatMap((hit) => {
    const found = pairedZones(hit, view, reader.kind).flatMap((zone) => readZone(zone, reader, hit));
    const checkboxStates = new Set(found.map(({ value }) => value).filter((value) => typeof value === "boolean"));
    return checkboxStates.size > 1 ? [] : found;
  });
}

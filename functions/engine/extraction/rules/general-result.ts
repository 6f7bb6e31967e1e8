/** The general result, when no schema says what is wanted: what kind of document, which language, its labelled values and plain tables. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Row, type Segment, tokensBetween } from "../../structure/view/tokens.ts";
import { leadingTick } from "../../values/booleans.ts";
import { trimValue } from "../../values/text-folding.ts";
import { titledKind } from "../document-type/titled-kind.ts";
import type { LabelMap } from "./find-labels.ts";
import { type Finding, foundOr, type Node, nothing } from "./findings.ts";
import { alignment } from "./value-candidates.ts";

const KEY_VALUES = 200;
const TABLES = 50;
const TABLE_ROWS = 500;
/** How sure a pair of the reader's is, of its own confidence. */
const PAIRED = 0.9;

function segmentFinding(segment: Segment, start: number, end: number, confidence: number, value?: string): Finding {
  return { value: value ?? segment.text.slice(start, end), tokens: tokensBetween(segment, start, end), confidence };
}

interface Pair {
  key: string;
  finding: Finding;
}

/** Words of a line with a label and its value; longer ones are sentences that hold a colon. */
const LINE_WORDS = 16;
const VALUE_WORDS = 12;

/** What stands before a colon and may be a label: a few words that begin like one, no sentence, no address, no time. */
const isKey = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= 48 &&
  text.split(/\s+/).length <= 6 &&
  /^[\p{Lu}\d#][^,]*$/u.test(text) &&
  /\p{L}{2,}/u.test(text) &&
  !/[.;!?]\s|https?$/u.test(text);

function pair(key: string, segment: Segment, start: number, end: number, confidence: number): Pair | null {
  const raw = segment.text.slice(start, end);
  const value = trimValue(raw);
  if (value === "" || value.split(" ").length > VALUE_WORDS || !/[\p{L}\p{N}]/u.test(value)) return null;
  const from = start + raw.indexOf(value);
  if (raw.indexOf(value) < 0) return null;
  return { key, finding: segmentFinding(segment, from, from + value.length, confidence) };
}

/** `Label: value` on one segment; several on one where the vocabulary knows the later labels. */
function pairsInSegment(segment: Segment, labels: LabelMap): Pair[] {
  if (segment.tokens.length > LINE_WORDS) return [];
  const cuts = (labels.bySegment.get(segment) ?? [])
    .filter((hit) => hit.colon && hit.from > 0)
    .map((hit) => segment.starts[hit.from] ?? 0);
  const bounds = [0, ...new Set(cuts), segment.text.length];
  return bounds.slice(0, -1).flatMap((from, index) => {
    const to = bounds[index + 1] ?? segment.text.length;
    const colon = segment.text.slice(from, to).search(/:(?:\s|$)/);
    if (colon < 0) return [];
    const key = segment.text.slice(from, from + colon).trim();
    return isKey(key) ? (pair(key, segment, from + colon + 1, to, 0.85) ?? []) : [];
  });
}

/** A label alone on its segment: with a colon, or known to the vocabulary; its value right of it, or below. */
function pairAcross(segment: Segment, row: Row, view: DocumentView, labels: LabelMap): Pair | null {
  const colon = /:\s*$/.test(segment.text);
  const known = (labels.bySegment.get(segment) ?? []).some(
    (hit) => hit.from === 0 && hit.to === segment.tokens.length && hit.strength === 1,
  );
  const key = segment.text.replace(/\s*:\s*$/, "").trim();
  if ((!colon && !known) || !isKey(key)) return null;
  const isLabel = (other: Segment): boolean =>
    /:\s*$/.test(other.text) ||
    (labels.bySegment.get(other) ?? []).some(
      (hit) => hit.from === 0 && hit.to === other.tokens.length && hit.strength === 1,
    );
  const right = row.segments[row.segments.indexOf(segment) + 1];
  if (right !== undefined && !isLabel(right) && !/:\s/.test(right.text))
    return pair(key, right, 0, right.text.length, colon ? 0.8 : 0.65);
  if (right !== undefined && !isLabel(right)) return null;
  const next = view.rows[row.index + 1];
  const below =
    next?.page === row.page
      ? next.segments.find(
          (other) => alignment(segment.box, other.box) >= 0.97 && !isLabel(other) && !/:\s/.test(other.text),
        )
      : undefined;
  return below === undefined || below.box.top - segment.box.bottom > 0.25
    ? null
    : pair(key, below, 0, below.text.length, colon ? 0.7 : 0.6);
}

/** What the reader paired with labels: a box to tick says yes or no, text of several places is one. */
function readerPairs(view: DocumentView): Pair[] {
  return [...view.pairs.values()].flatMap(({ label, whole: [whole], confidence }): Pair[] => {
    const key = label.text.replace(/\s*:\s*$/, "").trim();
    if (key === "" || whole === undefined) return [];
    const { tokens, text } = whole;
    const tick = tokens.length === 1 ? leadingTick(tokens[0]?.text ?? "") : null;
    const value = tick ?? trimValue(text);
    return value === "" ? [] : [{ key, finding: { value, tokens, confidence: PAIRED * confidence } }];
  });
}

function keyValues(view: DocumentView, labels: LabelMap): Node {
  const members = new Map<string, Node>();
  const add = ({ key, finding }: Pair): void => {
    let unique = key;
    for (let count = 2; members.has(unique); count += 1) unique = `${key} (${count})`;
    if (members.size < KEY_VALUES) members.set(unique, foundOr(finding));
  };
  const known = readerPairs(view);
  const taken = new Set(known.flatMap(({ finding }) => finding.tokens));
  known.forEach(add);
  for (const row of view.rows) {
    for (const segment of row.segments) {
      if (members.size >= KEY_VALUES) break;
      const inside = pairsInSegment(segment, labels);
      const across = inside.length > 0 ? null : pairAcross(segment, row, view, labels);
      for (const found of across === null ? inside : [across]) {
        if (!found.finding.tokens.some((token) => taken.has(token))) add(found);
      }
    }
  }
  return { kind: "object", members: [...members] };
}

/** Does every cell of a row stand under one of the row above? */
function continues(above: Row, below: Row): boolean {
  if (above.page !== below.page || above.segments.length !== below.segments.length) return false;
  if (below.box.top - above.box.bottom > 0.35) return false;
  return below.segments.every((segment, index) => {
    const over = above.segments[index];
    return over !== undefined && alignment(over.box, segment.box) >= 0.97;
  });
}

/** Cells of tables are short, and at least one column of them holds numbers or single words; columns of prose do not. */
function isTable(rows: readonly Row[]): boolean {
  const cells = rows.flatMap((row) => row.segments);
  const words = cells.reduce((sum, cell) => sum + cell.tokens.length, 0);
  if (words / cells.length > 4) return false;
  const width = rows[0]?.segments.length ?? 0;
  const brief = (column: number): number =>
    rows.filter((row) => (row.segments[column]?.tokens.length ?? 9) <= 2).length;
  return Array.from({ length: width }, (_, column) => brief(column)).some((count) => count >= rows.length * 0.8);
}

/** Rows of a table of two columns at least: fewer are labels with their values. */
const PAIRS = 5;
/** A number, date or share, alone in its cell. */
const isValue = (cell: Segment | undefined): boolean =>
  cell !== undefined && /\d/.test(cell.text) && !/\p{L}{4,}|:$/u.test(cell.text);
const isHeading = ({ segments }: Row): boolean =>
  segments.length === 2 && segments.every(({ text }) => /\p{L}/u.test(text) && !/\d|:$/.test(text));

/** A table of two columns has a heading over both, and values in one of them all the way down. */
function pairsUnder(run: readonly Row[], view: DocumentView): Row[] {
  const [first] = run;
  const above = first === undefined ? undefined : view.rows[first.index - 1];
  const headed = first !== undefined && isHeading(first);
  const lone = !headed && above !== undefined && above.page === first?.page && isHeading(above) ? [above] : [];
  const body = headed ? run.slice(1) : run;
  const valued = [0, 1].some((column) => body.every(({ segments }) => isValue(segments[column])));
  return body.length >= PAIRS - 1 && valued && (headed || lone.length > 0) ? [...lone, ...run] : [];
}

/** The rows of a run that make a table: three or more of three cells or more, or enough of two under a heading. */
function tableRows(run: readonly Row[], view: DocumentView): readonly Row[] {
  if (run[0]?.segments.length === 2) return pairsUnder(run, view);
  return run.length >= 3 && isTable(run) ? run : [];
}

/** Rows in line with one another. */
function tables(view: DocumentView): Node {
  const found: Node[] = [];
  let run: Row[] = [];
  const close = (): void => {
    const told = tableRows(run, view);
    const [first] = told;
    if (first !== undefined && found.length < TABLES) {
      const rows = told.slice(0, TABLE_ROWS).map(
        (row): Node => ({
          kind: "list",
          items: row.segments.map((segment) => foundOr(segmentFinding(segment, 0, segment.text.length, 0.75))),
        }),
      );
      found.push({
        kind: "object",
        members: [
          ["page", { kind: "plain", value: first.page, reason: "derived" }],
          ["rows", { kind: "list", items: rows }],
        ],
      });
    }
    run = [];
  };
  for (const row of view.rows) {
    const last = run.at(-1);
    if (last !== undefined && !continues(last, row)) close();
    if (row.segments.length >= 2) run.push(row);
  }
  close();
  return { kind: "list", items: found };
}

/** @param language ISO 639-1 of the text, told from all of it and therefore without a place */
export function generalResult(view: DocumentView, labels: LabelMap, language: string | null): Node {
  return {
    kind: "object",
    members: [
      ["document_type", foundOr(titledKind(view))],
      ["language", language === null ? nothing() : { kind: "plain", value: language, reason: "derived" }],
      ["key_values", keyValues(view, labels)],
      ["tables", tables(view)],
    ],
  };
}

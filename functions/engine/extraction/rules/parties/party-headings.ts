/** Names of parties below, behind or beside a heading for their role. */

import type { Segment, Token } from "../../../structure/view/tokens.ts";
import { labelKey } from "../../../values/label-words.ts";
import { hasLegalForm, headsColumn, isStreet, placeIn, salutationLength } from "../../../values/party-names.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import { anyOf } from "../../../values/vocabulary/word-patterns.ts";
import type { LabelHit } from "../find-labels.ts";
import { ALIGNMENT_WEIGHTS } from "../scoring.ts";
import { alignmentWeight, zonesOf } from "../value-candidates.ts";
import { addressLines, nameIn, type TextRange } from "./line-stacks.ts";
import { isLabelled, MAX_PARTY_PAGES, type NameCandidate, type PartyPages, sameName } from "./name-candidates.ts";

/** Headings tried for one role. */
const MAX_HEADINGS = 40;
/** Lines between a heading and the name: a salutation, a customer number. */
const MAX_LINES_TO_NAME = 4;
/** Rows of a party's section that are searched for `Name: …`. */
const MAX_SECTION_ROWS = 8;

/** Labels of the name inside a party's section. */
const NAME_KEYS = new Set(wordsOf(({ parties }) => parties.nameLabels).map((label) => labelKey(label)));

/** The text is the label of a name, in one language or in several (`ΕΠΩΝΥΜΙΑ / NAME`). */
const isNameLabel = (text: string): boolean => text.split("/").some((part) => NAME_KEYS.has(labelKey(part)));

/** `Name: Kunden AG` on one segment. */
function nameBehindLabel(line: Segment): TextRange | null {
  const colon = line.text.indexOf(":");
  return colon > 0 && isNameLabel(line.text.slice(0, colon)) ? nameIn(line, colon + 1) : null;
}

/** The first name at or below a heading; labels and salutations are skipped, strict forms of names come first. */
function nameUnder(first: Segment, from: number, pages: PartyPages): TextRange | null {
  // The items begin here: nobody stands above them.
  if (headsColumn(first.text)) return null;
  const stack = pages.stackOf.get(first);
  const index = stack?.lines.indexOf(first) ?? -1;
  const below = stack === undefined || index < 0 ? [] : stack.lines.slice(index + 1, index + MAX_LINES_TO_NAME);
  for (const lenient of [false, true]) {
    const here = nameBehindLabel(first) ?? nameIn(first, from, lenient);
    if (here !== null && (from > 0 || !isLabelled(first, pages.labels) || here.start > 0)) return here;
    for (const line of below) {
      const named = nameBehindLabel(line);
      if (named !== null) return named;
      if (isLabelled(line, pages.labels)) continue;
      if (placeIn(line.text) !== null || isStreet(line.text)) break;
      const name = nameIn(line, 0, lenient);
      if (name !== null) return name;
    }
  }
  return null;
}

/** The name below a label that heads a cell, else the one right of it. */
function nameBeside(label: Segment, pages: PartyPages): TextRange | null {
  const row = pages.view.rows[label.row]?.segments ?? [];
  const right = row[row.indexOf(label) + 1];
  const next = pages.view.rows[label.row + 1];
  const under = (above: Segment | undefined): Segment | undefined =>
    above && next?.page === above.page
      ? next.segments.find(({ box }) => alignmentWeight(above.box, box) === ALIGNMENT_WEIGHTS.edge)
      : undefined;
  const below = under(label);
  // A row of labels: the cell on the right has a value below it too.
  const isHeading = below !== undefined && !label.text.endsWith(":") && !isLabelled(below, pages.labels);
  const value = isHeading && (right === undefined || under(right) !== undefined) ? below : right;
  return value === undefined ? null : nameIn(value, 0, true);
}

/** `Name:` and its value in two columns or in one line, in the rows below a heading. */
function nameInSection(hit: LabelHit, pages: PartyPages): TextRange | null {
  const { segment } = hit;
  const roles = new Set(["seller", "buyer", "ship-to"]);
  for (const row of pages.view.rows.slice(segment.row + 1, segment.row + 1 + MAX_SECTION_ROWS)) {
    if (row.page !== segment.page) return null;
    const [first] = row.segments;
    const another =
      first !== undefined &&
      (pages.labels.bySegment.get(first) ?? []).some(
        (other) =>
          other.strength === 1 && roles.has(other.concept) && other.from === 0 && other.to === first.tokens.length,
      );
    if (another) return null;
    for (const label of row.segments) {
      const beneath = label.box.left < segment.box.right && label.box.left > segment.box.left - 0.3;
      const behind = beneath ? nameBehindLabel(label) : null;
      if (behind !== null) return behind;
      if (beneath && isNameLabel(label.text)) return nameBeside(label, pages);
    }
  }
  return null;
}

const labelText = ({ segment, from, to }: LabelHit): string =>
  segment.tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(" ");

/** Weight of a heading: it should stand alone, or with a colon, at the beginning of its segment. */
function headingScore(hit: LabelHit): number {
  const alone = hit.to === hit.segment.tokens.length;
  if (hit.from > 0) return hit.colon ? 0.75 : 0.4;
  // A form of address heads the line of its name: `Spett.le Rossi S.r.l.`
  return hit.colon ? 1 : alone || salutationLength(hit.segment.text) > 0 ? 0.95 : 0.45;
}

function scoreName(name: TextRange, pages: PartyPages, base: number): NameCandidate {
  const stack = pages.stackOf.get(name.segment);
  const addressed =
    stack !== undefined && addressLines(stack, stack.lines.indexOf(name.segment), pages.labels).length > 0;
  return { at: name, score: base + (hasLegalForm(name.text) ? 0.05 : 0) + (addressed ? 0.05 : 0) };
}

/** A zone beside a heading holds a number and nothing else. */
const isNumber = (relation: string, text: string): boolean =>
  relation !== "below" && /^[\s#№]*\d[\d\s./-]*$/u.test(text);

function namesOfHeading(hit: LabelHit, pages: PartyPages): NameCandidate[] {
  const section = hit.to === hit.segment.tokens.length ? nameInSection(hit, pages) : null;
  if (section !== null) return [scoreName(section, pages, hit.strength * headingScore(hit) * 0.98)];
  const zones = zonesOf(hit, pages.view, pages.labels, "text");
  // `Customer: 3991` has its value: no name stands below.
  const isNumbered =
    hit.colon && zones.some(({ relation, segment, start }) => isNumber(relation, segment.text.slice(start)));
  return zones
    .filter(({ relation }) => !isNumbered || relation !== "below")
    .slice(0, 4)
    .flatMap((zone): NameCandidate[] => {
      const behind = zone.relation === "after";
      const name = behind
        ? nameIn(zone.segment, zone.start, false, zone.end)
        : nameUnder(zone.segment, zone.start, pages);
      // `vendedor: Vendedor` repeats its label.
      if (name === null || labelKey(name.text) === labelKey(labelText(hit))) return [];
      const unannounced = zone.relation === "right" && !hit.colon ? 0.85 : 1;
      return [scoreName(name, pages, hit.strength * headingScore(hit) * zone.weight * unannounced)];
    });
}

/** Score of a name that is labelled as one and stands under no party's heading. */
const LABELLED_NAME_SCORE = 0.75;

/** Names behind `Name:` on the first pages, whoever they belong to, in their order and each once. */
export function labelledNames(pages: PartyPages): NameCandidate[] {
  const names = pages.view.segments
    .filter(({ page }) => page <= MAX_PARTY_PAGES)
    .flatMap((line) => nameBehindLabel(line) ?? []);
  return names
    .filter((name, at) => names.findIndex((other) => sameName(other.text, name.text)) === at)
    .map((name) => scoreName(name, pages, LABELLED_NAME_SCORE));
}

/** Words in table rows of three cells and more: they are list entries, no headings of parties. */
const MIN_LIST_CELLS = 3;

const wordsInTables = (pages: PartyPages): Set<Token> =>
  new Set(
    pages.view.tables
      .filter(({ page, headerRows }) => page <= MAX_PARTY_PAGES && headerRows > 0)
      .flatMap(({ rows, headerRows }) =>
        rows
          .slice(headerRows)
          .filter((cells) => cells.length >= MIN_LIST_CELLS)
          .flatMap((cells) => cells.flatMap(({ lines }) => lines.flat())),
      ),
  );

const HONORIFIC = new RegExp(`\\s*(?:${anyOf(wordsOf(({ parties }) => parties.honorifics))})$`, "u");
/** Score of a name with a form of address behind it: `株式会社サンプル 御中`. */
const ADDRESSED_NAME_SCORE = 0.95;

/** Names on the first pages with a form of address behind them, as only a recipient's has. */
export const addressedNames = ({ view }: PartyPages): NameCandidate[] =>
  view.segments.flatMap((segment) => {
    const at = segment.page <= MAX_PARTY_PAGES ? segment.text.search(HONORIFIC) : -1;
    const name = at <= 0 ? null : nameIn(segment, 0, true, at);
    return name === null ? [] : [{ at: name, score: ADDRESSED_NAME_SCORE }];
  });

/** Candidates for a party's name, from all headings of a concept on the first pages. */
export function namesByHeading(concept: string, pages: PartyPages): NameCandidate[] {
  const onPages = (pages.labels.byConcept.get(concept) ?? []).filter((hit) => hit.segment.page <= MAX_PARTY_PAGES);
  if (onPages.length === 0) return [];
  const inTables = wordsInTables(pages);
  const hits = onPages.filter(({ segment }) => !segment.tokens.some((token) => inTables.has(token)));
  return hits.slice(0, MAX_HEADINGS).flatMap((hit) => namesOfHeading(hit, pages));
}

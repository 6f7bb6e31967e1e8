/**
 * The confidence of each value of a result, from evidence: the words on the page, their recognition, labels, checks, a
 * second extractor. The same code judges results of models and of the offline extractor. Pure and deterministic.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import { buildContext, type DocumentContext } from "../extraction/rules/document-context.ts";
import { ownLabels } from "../extraction/rules/find-labels.ts";
import { findItemLabels } from "../extraction/rules/items/item-rows.ts";
import type { Target } from "../extraction/rules/resolve-field.ts";
import { proseIn } from "../extraction/rules/running-prose.ts";
import { numberWords, wordNumbersAt } from "../grounding/printed-words.ts";
import type { FieldEvidence, SourceLocation, SourceLocations } from "../layout/source-locations.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import type { Check, KnownLeaf } from "./check.ts";
import { CompetingValues } from "./competing-values.ts";
import { ExtractorAgreement, type SecondResult } from "./extractor-agreement.ts";
import { type GridEvidence, gatherGridEvidence } from "./grid-evidence.ts";
import { DocumentLabels, type LabelEvidence, NO_LABELS } from "./label-evidence.ts";
import { checkListSums, wholeLists } from "./list-sums.ts";
import { overallConfidence } from "./overall-confidence.ts";
import { PrintedSuspicions } from "./printed-suspicions.ts";
import { checkLeaves, knownLeaves, labelledProofs, withoutSelfConfirming } from "./result-checks.ts";
import { SharedEvidence } from "./shared-evidence.ts";
import { SIGNAL_NAMES, type Signals, signalsOf, type ValueFacts } from "./signals.ts";
import { suspicionOf } from "./suspicion-caps.ts";
import { evidenceOfPosition, type UnlabelledEvidence } from "./unlabelled-evidence.ts";
import { LostLetters } from "./unrecognised-letters.ts";
import { type ValuePlace, ValuePlaces } from "./value-places.ts";
import { type ReadBy, WEIGHTS } from "./weights.ts";
import { capOfWritten, WrittenEntries } from "./written-entries.ts";

export interface JudgeRequest {
  layout: Layout;
  result: Json;
  /** Schema of the request. */
  schema?: ParsedSchema;
  /**
   * Source locations; `derived`, `constant` and `attachment` values are not judged: they are not printed on the page.
   */
  sources: SourceLocations;
  /** Rules of our own read the result; without a word, a model or a person did. */
  readBy?: ReadBy;
  /** Result of another extractor, if one ran. */
  second?: SecondResult;
}

export interface JudgedResult {
  /** With the confidence of each value, and evidence for doubtful ones. */
  sources: SourceLocations;
  /** Overall confidence, 0 to 1; null without values. */
  confidence: number | null;
  /** Failed checks, with pointers and messages. */
  failed: Check[];
}

/** A value with its evidence in numbers. */
export interface Verdict {
  leaf: Leaf;
  facts: ValueFacts;
  signals: Signals;
  /** Upper limit of its confidence, whatever the signals. */
  cap: number;
}

/** Distinct paths with labels of their own; a hostile result may have any number. */
const MAX_LABELLED_PATHS = 1_000;
/** A value below this confidence carries its evidence. */
const SURE_CONFIDENCE = 0.8;
/** From here on, another field has at least as good a claim to the words. */
const MIN_REPORTED_BORROWED = 0.4;

/** Reasons for values that the page need not print. */
const UNJUDGED_REASONS = new Set(["derived", "constant", "attachment"]);

const ownConcept = (path: string): string => `own:${path}`;
const round = (value: number): number => Number(value.toFixed(3));

/** The probability that a value is right, by its signals (logistic regression). */
export function confidenceOf(signals: Signals, readBy: ReadBy): number {
  const { bias, weights } = WEIGHTS[readBy];
  const logit = SIGNAL_NAMES.reduce((sum, name) => sum + (weights[name] ?? 0) * signals[name], bias);
  return 1 / (1 + Math.exp(-logit));
}

function targetsOf(known: readonly KnownLeaf[], cells: boolean): [string, Target][] {
  const targets = new Map<string, Target>();
  for (const { leaf, meaning } of known) {
    if ((leaf.item !== null) !== cells || targets.size >= MAX_LABELLED_PATHS || targets.has(leaf.path)) continue;
    targets.set(leaf.path, { field: leaf.field, meaning, ownConcept: ownConcept(leaf.path) });
  }
  return [...targets];
}

/** Checks by the pointers they are about. */
function checksByPointer(checks: readonly Check[]): Map<string, Check[]> {
  const lists = new Map<string, Check[]>();
  for (const check of checks) {
    for (const pointer of check.pointers) {
      const list = lists.get(pointer);
      if (list === undefined) lists.set(pointer, [check]);
      else list.push(check);
    }
  }
  return lists;
}

const locationOf = (sources: SourceLocations, pointer: string): SourceLocation | undefined =>
  Object.hasOwn(sources.locations, pointer) ? sources.locations[pointer] : undefined;

interface PageEvidence {
  context: DocumentContext;
  places: Map<KnownLeaf, ValuePlace>;
  grid: GridEvidence;
  rowOf: (reference: string) => number | undefined;
  /** Values that fill the places of a printed form. */
  written: ReadonlySet<KnownLeaf>;
}

function gatherPageEvidence(layout: Layout, known: readonly KnownLeaf[], sources: SourceLocations): PageEvidence {
  const { index, queries } = ownLabels(targetsOf(known, false));
  const context = buildContext(layout, index, queries);
  const printed = numberWords(context.view);
  const leaves = known.map(({ leaf }) => leaf);
  const valuePlaces = new ValuePlaces(printed, context.conventions, leaves);
  const places = new Map(
    known.flatMap((one): [KnownLeaf, ValuePlace][] => {
      const place = valuePlaces.placeOf(one.leaf, locationOf(sources, one.leaf.pointer));
      return place === null ? [] : [[one, place]];
    }),
  );
  const entries = new WrittenEntries(context);
  const written = new Set([...places].flatMap(([one, place]) => (entries.fills(place) ? [one] : [])));
  const cells = [...places].flatMap(([one, place]) => (one.leaf.item === null ? [] : [{ known: one, place }]));
  const labels = findItemLabels(context.view, ownLabels(targetsOf(known, true)).index);
  const rowOf = (reference: string): number | undefined => printed.rows[wordNumbersAt(printed, reference).at(-1) ?? -1];
  return { context, places, grid: gatherGridEvidence(cells, labels, ownConcept), rowOf, written };
}

/** Label evidence of each value; a value of a form field, or at a printed place, has this as label. */
function labelsOf(
  page: PageEvidence,
  known: readonly KnownLeaf[],
  sources: SourceLocations,
  unlabelled: UnlabelledEvidence,
): Map<KnownLeaf, LabelEvidence> {
  const labels = new DocumentLabels(page.context);
  return new Map(
    known.map((one): [KnownLeaf, LabelEvidence] => {
      const { leaf } = one;
      const place = page.places.get(one) ?? null;
      const location = locationOf(sources, leaf.pointer);
      if (location !== undefined && (place === null || (leaf.item === null && page.written.has(one))))
        return [one, { ...NO_LABELS, own: location.confidence, labelled: true }];
      if (leaf.item !== null) return [one, page.grid.cells.get(one)?.heading ?? NO_LABELS];
      const found = labels.evidenceFor(one, place, ownConcept(leaf.path));
      const position = unlabelled.get(one);
      const isOwn = position !== undefined && position > found.own && found.rival === 0;
      return [one, isOwn ? { ...NO_LABELS, own: position, labelled: true } : found];
    }),
  );
}

/** The place of a value; a check mark does not say `true`, nor `Facture` the type `invoice`. */
function matchedPlace(
  place: ValuePlace | null,
  one: KnownLeaf,
  location: SourceLocation | undefined,
  unlabelled: UnlabelledEvidence,
): ValuePlace | null {
  if (place === null || location === undefined) return place;
  if (typeof one.leaf.value === "boolean") return { ...place, match: location.confidence };
  // A rule that finds a title, a name or a figure in a sentence finds it whole, whatever stands around it.
  return unlabelled.has(one) ? { ...place, match: 1, rows: 1, before: null, after: null } : place;
}

/** Nothing stands beside a value in its own place of a form: it is not cut. */
const placeAlone = (place: ValuePlace | null, isWritten: boolean): ValuePlace | null =>
  place !== null && isWritten ? { ...place, before: null, after: null } : place;

/** Its field is no concept, so that only the words of the field's name can lead to its label. */
const isFoundByName = ({ leaf, meaning }: KnownLeaf, place: ValuePlace | null): boolean =>
  leaf.item === null && meaning.concept === null && place !== null;

/** Shortfall from a perfect recognition, over all words. */
function meanDoubt({ view }: DocumentContext): number {
  const words = view.segments.flatMap(({ tokens }) => tokens);
  return words.reduce((sum, { confidence }) => sum + 1 - confidence, 0) / Math.max(1, words.length);
}

/** The evidence for every value of a result, in its order. */
export function weighEvidence({ layout, result, schema, sources, second }: JudgeRequest): {
  verdicts: Verdict[];
  checks: Check[];
} {
  const shape = schema?.shape ?? null;
  const unjudged = new Set(
    sources.unresolved.filter(({ reason }) => UNJUDGED_REASONS.has(reason)).map(({ pointer }) => pointer),
  );
  const known = knownLeaves(leavesOf(result, shape, unjudged).values);
  const page = gatherPageEvidence(layout, known, sources);
  const { context, places, grid, rowOf, written } = page;
  const unlabelled = evidenceOfPosition(places, context);
  const labels = labelsOf(page, known, sources, unlabelled);
  const sharedEvidence = new SharedEvidence(known, places, labels);
  const competingValues = new CompetingValues(context);
  const lostLetters = new LostLetters(context);
  const proseWords = new Set([...proseIn(context.view.segments).keys()].flatMap(({ tokens }) => tokens));
  const blurred = meanDoubt(context);
  const suspicions = new PrintedSuspicions(context);
  const wordsOf = (pointer: string): readonly string[] => locationOf(sources, pointer)?.sourceRefs ?? [];
  const own = new Map([...labels].map(([{ leaf }, evidence]) => [leaf.pointer, evidence] as const));
  const between = withoutSelfConfirming(checkLeaves(known, context.conventions), wordsOf);
  const checks = [...labelledProofs(between, own), ...checkListSums(known, grid, context)];
  const whole = wholeLists(known, checks);
  const [checksOf, { failureShares, caps }] = [checksByPointer(checks), suspicionOf(checks)];
  const extractorAgreement =
    second === undefined ? null : new ExtractorAgreement(second, shape, context.conventions.order, rowOf);
  const verdicts = known.map((one): Verdict => {
    const { leaf } = one;
    const isWritten = leaf.item === null && written.has(one);
    const place = placeAlone(places.get(one) ?? null, isWritten);
    const location = locationOf(sources, leaf.pointer);
    const facts: ValueFacts = {
      known: one,
      located: location !== undefined,
      place: matchedPlace(place, one, location, unlabelled),
      found: location?.confidence ?? 0,
      labels: labels.get(one) ?? NO_LABELS,
      borrowed: sharedEvidence.claimOfOthers(one),
      grid: grid.cells.get(one) ?? null,
      inWholeList: leaf.item !== null && whole.has(leaf.item.list),
      written: isWritten,
      inProse: !isWritten && (place?.tokens.some((token) => proseWords.has(token)) ?? false),
      contested: competingValues.competitionFor(one),
      unlettered: lostLetters.lossProbability(one, place),
      blurred,
      shown: unlabelled.has(one),
      // A pair that is given as it is printed was not asked for by a name.
      unknown: schema !== undefined && !isWritten && !unlabelled.has(one) && isFoundByName(one, place),
      checks: checksOf.get(leaf.pointer) ?? [],
      failureShare: failureShares.get(leaf.pointer) ?? 0,
      agreement: extractorAgreement?.agreementOn(leaf, grid.rowOf(leaf)) ?? null,
    };
    const ofWritten = isWritten && place !== null ? capOfWritten(place) : 1;
    const cap = Math.min(caps.get(leaf.pointer) ?? 1, ofWritten, suspicions.capOf(one, place, facts.labels));
    return { leaf, facts, signals: signalsOf(facts), cap };
  });
  return { verdicts, checks };
}

/** A value's evidence in short; null if nothing speaks against it. */
function evidenceFor({ facts, signals }: Verdict, confidence: number): FieldEvidence | null {
  const { place, checks, agreement, located, labels } = facts;
  if (confidence >= SURE_CONFIDENCE && checks.every(({ ok }) => ok) && agreement !== "differs") return null;
  return {
    match: located ? round(1 - signals.mismatch) : null,
    ocr: place === null ? null : round(place.ocr),
    label: located ? round(labels.own) : 0,
    ...(signals.rival > 0 ? { rival: round(signals.rival) } : {}),
    ...(signals.other > 0 ? { otherLabel: round(signals.other) } : {}),
    ...(signals.borrowed > MIN_REPORTED_BORROWED ? { otherField: true } : {}),
    ...(signals.offRow > 0 ? { otherRow: true } : {}),
    ...(signals.offColumn > 0 ? { offColumn: round(signals.offColumn) } : {}),
    validators: checks.map(({ name, ok }) => ({ name, ok })),
    agreement: agreement === "agrees" ? true : agreement === "differs" ? false : null,
  };
}

/**
 * Judges a result: adds the confidence of each value to its source location (to its unresolved entry if it was not
 * found), and computes the overall confidence. Never throws, whatever the result.
 */
export function judgeResult(request: JudgeRequest): JudgedResult {
  const { sources, readBy = "model" } = request;
  const { verdicts, checks } = weighEvidence(request);
  const opinions = new Map<string, { confidence: number; evidence?: FieldEvidence }>();
  for (const verdict of verdicts) {
    const confidence = round(Math.min(verdict.cap, confidenceOf(verdict.signals, readBy)));
    const evidence = evidenceFor(verdict, confidence);
    opinions.set(verdict.leaf.pointer, { confidence, ...(evidence === null ? {} : { evidence }) });
  }
  const locations = Object.entries(sources.locations).map(([pointer, location]): [string, SourceLocation] => [
    pointer,
    { ...location, ...opinions.get(pointer) },
  ]);
  const unresolved = sources.unresolved.map((leaf) => ({
    ...leaf,
    ...(leaf.reason === "not-found" ? opinions.get(leaf.pointer) : {}),
  }));
  const overall = overallConfidence(
    verdicts.map(({ leaf }) => ({ path: leaf.path, confidence: opinions.get(leaf.pointer)?.confidence ?? 0 })),
  );
  return {
    sources: { ...sources, locations: Object.fromEntries(locations), unresolved },
    confidence: overall === null ? null : round(overall),
    failed: checks.filter(({ ok }) => !ok),
  };
}

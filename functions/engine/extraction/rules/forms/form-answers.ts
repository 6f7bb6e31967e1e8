/** Answers of a form to the fields of a schema. */
import type { DocumentContext } from "../document-context.ts";
import type { Finding } from "../findings.ts";
import type { Target } from "../resolve-field.ts";
import { assignTogether } from "./assign-items.ts";
import { findingAt } from "./entry-finding.ts";
import { isFormDocument } from "./form-document.ts";
import { type FormItem, formItems } from "./form-items.ts";
import { FormMatcher, type ItemMatch } from "./match-score.ts";

/** Score below which a field does not lead to an item: the words that they share are shared by chance. */
const MIN_LEADING_SCORE = 0.42;
/** Difference to the next item with another value below which two items answer alike. */
const CLEAR_MARGIN = 0.08;
/** Score from which a match leads to an item that no other comes near to. */
const MIN_SCORE_ALONE = 0.3;
/** Confidence in a match of the least score that leads, and its rise with the score. */
const SURE_AT_LEAST = 0.75;
const SURE_PER_SCORE = 0.75;
/** Factors of confidence for an item that says the same: one with another value, and an empty one. */
const RIVAL_FACTOR = 0.6;
const EMPTY_RIVAL_FACTOR = 0.9;

/** The answer of a form: a value with its place, or none because nothing is written there. */
export type FormAnswer = { kind: "value"; finding: Finding } | { kind: "empty" };

export interface FormAnswers {
  /** The document is a form: what it does not answer is not answered. */
  isForm: boolean;
  answerOf(pointer: string): FormAnswer | undefined;
}

const heldBy = ({ reading }: ItemMatch): string => (reading.kind === "value" ? JSON.stringify(reading.value) : "");

/** The best other match that is free and holds something else. */
const rivalOf = (match: ItemMatch, own: readonly ItemMatch[], taken: ReadonlySet<unknown>): ItemMatch | undefined =>
  own.find((other) => other.item !== match.item && !taken.has(other.item) && heldBy(other) !== heldBy(match));

/** True for a match by enough words, or by fewer that fit nothing else. */
function leads(match: ItemMatch, own: readonly ItemMatch[]): boolean {
  const next = own.find(({ item }) => item !== match.item)?.score ?? 0;
  return match.score >= MIN_LEADING_SCORE || (match.score >= MIN_SCORE_ALONE && match.score - next >= CLEAR_MARGIN);
}

/** Confidence in a match by its score, and by the score of the next item that holds something else. */
function confidenceIn(match: ItemMatch, own: readonly ItemMatch[], taken: ReadonlySet<unknown>): number {
  const rival = rivalOf(match, own, taken);
  const margin = match.score - (rival?.score ?? 0);
  const sure = Math.min(1, SURE_AT_LEAST + SURE_PER_SCORE * (match.score - MIN_LEADING_SCORE));
  // An empty place beside a filled one that says the same is another person's, or the next line.
  const least = rival?.reading.kind === "value" ? RIVAL_FACTOR : EMPTY_RIVAL_FACTOR;
  return margin >= CLEAR_MARGIN ? sure : sure * (least + ((1 - least) * Math.max(margin, 0)) / CLEAR_MARGIN);
}

const findingOf = ({ reading }: ItemMatch, confidence: number): Finding | null =>
  reading.kind === "value" ? findingAt(reading.value, reading.members, confidence * reading.fit) : null;

/** Confidence in a place that its position alone tells. */
const SURE_BY_ORDER = 0.7;

/**
 * Reads fields that no words lead to by their order: the author of a schema for a form follows it. Where as many places to write as
 * fields stand between two named ones, each field has one of them.
 */
function betweenLed(targets: readonly Target[], led: readonly (ItemMatch | undefined)[], matcher: FormMatcher) {
  const taken = new Set(led.flatMap((match) => match?.item.members ?? []));
  const readings = new Map<number, ItemMatch>();
  for (let first = 0, next = 0; first < led.length; first = next + 1) {
    for (next = first; next < led.length && led[next] === undefined; ) next += 1;
    const [from, to] = [led[first - 1]?.item.at ?? -1, led[next]?.item.at ?? Infinity];
    const items = matcher.items
      .filter(
        ({ kind, at, members }) => kind === "text" && at > from && at < to && !members.some((one) => taken.has(one)),
      )
      .sort((a, b) => a.at - b.at);
    const own = targets.slice(first, next);
    if (items.length !== own.length || own.some(({ field }) => field.type === "boolean")) continue;
    const read = own.map((target, at) => matcher.read(items[at] as FormItem, target));
    if (read.some(({ kind }) => kind === "unfit")) continue;
    for (const [at, reading] of read.entries())
      readings.set(first + at, { item: items[at] as FormItem, reading, score: 0 });
  }
  return readings;
}

const NO_ANSWERS: FormAnswers = { isForm: false, answerOf: () => undefined };

/** Reads a document as a form. @param targets fields outside of lists, by pointer */
export function readForm(targets: readonly (readonly [string, Target])[], context: DocumentContext): FormAnswers {
  const { entries } = context.view;
  const isForm = isFormDocument(context);
  // A few fields in a letter or a contract answer as well; lines and cells that are only printed do not.
  if (!isForm && !entries.some(({ entry }) => entry.field !== undefined)) return NO_ANSWERS;
  const matcher = new FormMatcher(formItems(entries), context.conventions);
  const matches = targets.map(([, target]) => matcher.matchesOf(target));
  const assigned = assignTogether(
    targets.map(([, { field }]) => field.path),
    matches,
  );
  const taken = new Set(assigned.flatMap((match) => match?.item ?? []));
  const answers = new Map<string, FormAnswer>();
  const led = assigned.map((match, index) => (match && leads(match, matches[index] ?? []) ? match : undefined));
  const between = betweenLed(
    targets.map(([, target]) => target),
    led,
    matcher,
  );
  for (const [index, [pointer]] of targets.entries()) {
    const match = led[index] ?? between.get(index);
    if (match === undefined) continue;
    const sure = led[index] === undefined ? SURE_BY_ORDER : confidenceIn(match, matches[index] ?? [], taken);
    const finding = findingOf(match, sure);
    answers.set(pointer, finding === null ? { kind: "empty" } : { kind: "value", finding });
  }
  return { isForm, answerOf: (pointer) => answers.get(pointer) };
}

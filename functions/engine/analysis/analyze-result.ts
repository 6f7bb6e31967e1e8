/**
 * Finds probable errors of a result from evidence: its values on the page, its checks, its rows, its fields. Pure and
 * deterministic; no model is asked.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import type { Check, CheckKind } from "../confidence/check.ts";
import { confidenceOf, type Verdict, weighEvidence } from "../confidence/judge-result.ts";
import { overallConfidence } from "../confidence/overall-confidence.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { blockLines, lineText, pageWords } from "../layout/page-words.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { decideNotation } from "../values/numbers.ts";
import { checkRows } from "./check-rows.ts";
import { type Analysis, fieldOf, type Issue, type IssueKind } from "./issue.ts";
import { missingFields } from "./missing-fields.ts";

export interface AnalysisInput {
  layout: Layout;
  result: Json;
  schema?: ParsedSchema;
  /** Source locations of the run: name calculated and constant values, and the confidence of each value. */
  sources?: SourceLocations;
  /** The offline extractor made the result: running it again is no second opinion. */
  offline: boolean;
  validationErrors?: readonly { pointer: string; message: string }[];
  missing?: readonly { list: string; pageNumber: number; text: string }[];
}

/** Doubt from which a value is an issue. */
const MIN_ISSUE_DOUBT = 0.5;
/** OCR confidence below which a word counts as poorly recognised. */
const POOR_OCR_CONFIDENCE = 0.6;
/** Confidence in an issue that rests on one failed check alone. */
const CHECK_CONFIDENCE: Record<CheckKind, number> = {
  checksum: 0.75,
  arithmetic: 0.55,
  order: 0.6,
  format: 0.45,
  schema: 0.5,
  column: 0.2,
};
const ISSUE_KIND_OF_CHECK: Record<CheckKind, IssueKind> = {
  checksum: "checksum",
  arithmetic: "arithmetic",
  order: "order",
  format: "format",
  schema: "schema",
  column: "column",
};
/** Confidence for wrong check digits that the document prints: an example, or an error of its author. */
const PRINTED_CHECKSUM_CONFIDENCE = 0.35;
/** Change of a suspicion when another reading differs (added) or agrees (subtracted). */
const SECOND_READING_WEIGHT = 0.3;
const INVALID_CONFIDENCE = 0.9;
const SHORTFALL_CONFIDENCE = 0.9;
const MAX_QUOTE_CHARS = 60;
const MAX_ROW_QUOTE_CHARS = 120;
/** Strength from which a signal is named as the reason. */
const MIN_SIGNAL = 0.2;
/** Signals below this count as none. */
const NEGLIGIBLE_SIGNAL = 0.05;

const quoted = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTE_CHARS ? `${text.slice(0, MAX_QUOTE_CHARS)}…"` : text;
};

interface Reason {
  kind: IssueKind;
  issue: string;
}

/** The strongest evidence against a value, in a sentence. */
function reasonFor({ leaf, facts, signals }: Verdict): Reason {
  const value = quoted(leaf.value);
  const check = facts.checks.find(({ ok, kind }) => !ok && kind !== "column");
  if (check !== undefined) return { kind: ISSUE_KIND_OF_CHECK[check.kind], issue: check.message };
  if (!facts.located) return { kind: "not-found", issue: `${value} stands nowhere in the document.` };
  if (signals.doubt > 1 - POOR_OCR_CONFIDENCE) {
    return {
      kind: "ocr",
      issue: `The words of ${value} were recognised with ${percent(1 - signals.doubt)} confidence only.`,
    };
  }
  if (signals.rival > MIN_SIGNAL)
    return { kind: "value", issue: `Beside its label stands another value than ${value}.` };
  if (signals.other > MIN_SIGNAL) return { kind: "value", issue: `${value} stands beside the label of another field.` };
  if (signals.offRow > MIN_SIGNAL) return { kind: "value", issue: `${value} stands on the line of another row.` };
  if (signals.offColumn > MIN_SIGNAL) return { kind: "value", issue: `${value} stands out of line with its column.` };
  if (signals.mismatch > MIN_SIGNAL) return { kind: "value", issue: `The document has ${value} in other words only.` };
  if (signals.differs > 0)
    return { kind: "value", issue: `Another reading of the document says otherwise than ${value}.` };
  const column = facts.checks.find(({ ok }) => !ok);
  if (column !== undefined) return { kind: "column", issue: column.message };
  return { kind: "value", issue: `Little in the document speaks for ${value} being this field's.` };
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function detailOf({ facts }: Verdict): string {
  const parts = [
    facts.place === null ? "" : `It was read on page ${facts.place.tokens[0]?.page ?? "?"}.`,
    ...facts.checks.filter(({ ok }) => !ok).map(({ message }) => message),
    facts.agreement === "agrees" ? "Another reading of the document says the same." : "",
    facts.agreement === "differs" ? "Another reading of the document says otherwise." : "",
  ];
  return [...new Set(parts.filter((part) => part !== ""))].join(" ");
}

const SUGGESTIONS: Partial<Record<IssueKind, string>> = {
  "not-found": "Compare it with the document; correct it, or leave it empty if the document does not state it.",
  ocr: "Look at the page itself, or process it again with ocr PREMIUM.",
  arithmetic: "Compare the amounts with the document; one of them, or a row, is not what is printed.",
  checksum: "Compare it with the document digit by digit.",
  order: "Compare the dates with the document; day and month may be exchanged.",
};
const suggestionFor = (kind: IssueKind): string => SUGGESTIONS[kind] ?? "Compare it with the document.";

/** The document prints exactly this value: an error in it is the document's own. */
const isPrinted = ({ facts, signals }: Verdict): boolean =>
  facts.located && signals.mismatch < NEGLIGIBLE_SIGNAL && signals.doubt < NEGLIGIBLE_SIGNAL;

interface Suspicion {
  checks: Check[];
  confidence: number;
}

/** Assigns each failed check to its most suspicious value. */
function suspectsOf(
  checks: readonly Check[],
  byPointer: ReadonlyMap<string, Verdict>,
  doubtOf: ReadonlyMap<string, number>,
): Map<string, Suspicion> {
  const sums = checks.filter(({ kind }) => kind === "arithmetic");
  const proven = new Set(sums.filter(({ ok }) => ok).flatMap(({ pointers }) => pointers));
  const failing = checks.filter(({ ok }) => !ok);
  const times = new Map<string, number>();
  for (const pointer of failing.flatMap(({ pointers }) => pointers)) times.set(pointer, (times.get(pointer) ?? 0) + 1);
  const suspicionOf = (pointer: string): number => {
    const agreement = byPointer.get(pointer)?.facts.agreement;
    const otherwise =
      agreement === "differs" ? SECOND_READING_WEIGHT : agreement === "agrees" ? -SECOND_READING_WEIGHT : 0;
    return (doubtOf.get(pointer) ?? 0) + (times.get(pointer) ?? 0) - 1 + otherwise;
  };
  const suspected = new Map<string, Suspicion>();
  for (const check of failing) {
    const open = check.pointers.filter((pointer) => check.kind !== "arithmetic" || !proven.has(pointer));
    const suspects = open.length > 0 ? open : check.pointers;
    const [suspect] = [...suspects].sort((a, b) => suspicionOf(b) - suspicionOf(a));
    const verdict = suspect === undefined ? undefined : byPointer.get(suspect);
    if (suspect === undefined || verdict === undefined) continue;
    const says =
      check.kind === "checksum" && isPrinted(verdict) ? PRINTED_CHECKSUM_CONFIDENCE : CHECK_CONFIDENCE[check.kind];
    const before = suspected.get(suspect) ?? { checks: [], confidence: 0 };
    suspected.set(suspect, {
      checks: [...before.checks, check],
      confidence: 1 - (1 - before.confidence) * (1 - says),
    });
  }
  return suspected;
}

/** Issues of values that are probably wrong, and of the main suspects of failed checks. */
function valueIssues(verdicts: readonly Verdict[], checks: readonly Check[], doubtOf: Map<string, number>): Issue[] {
  const issues = new Map<string, Issue>();
  const byPointer = new Map(verdicts.map((verdict) => [verdict.leaf.pointer, verdict]));
  const add = (pointer: string, confidence: number, reason?: Reason): void => {
    const verdict = byPointer.get(pointer);
    if (verdict === undefined || (issues.get(pointer)?.confidence ?? 0) >= confidence) return;
    const { kind, issue } = reason ?? reasonFor(verdict);
    const detail = detailOf(verdict);
    issues.set(pointer, { pointer, kind, issue, confidence, suggestion: suggestionFor(kind), detail });
  };
  for (const { leaf } of verdicts) {
    const doubt = doubtOf.get(leaf.pointer) ?? 0;
    if (doubt >= MIN_ISSUE_DOUBT) add(leaf.pointer, doubt);
  }
  for (const [pointer, { checks: failing, confidence }] of suspectsOf(checks, byPointer, doubtOf)) {
    const [first] = failing;
    if (first === undefined) continue;
    const reason = { kind: ISSUE_KIND_OF_CHECK[first.kind], issue: first.message };
    add(pointer, Math.max(doubtOf.get(pointer) ?? 0, confidence), reason);
  }
  return [...issues.values()];
}

function wholeIssues({ validationErrors = [], missing = [] }: AnalysisInput): Issue[] {
  const invalid = validationErrors.map(
    ({ pointer, message }): Issue => ({
      pointer,
      kind: "schema",
      issue: `The value ${message.replace(/\.?$/, ".")}`,
      confidence: INVALID_CONFIDENCE,
      suggestion: "Correct the value, or the schema where the document is right.",
      detail: "The run left it out of the result for that.",
    }),
  );
  const short = missing.map(
    ({ list, pageNumber, text }): Issue => ({
      pointer: list,
      kind: "shortfall",
      issue: `A row of page ${pageNumber} was not returned: "${text.slice(0, MAX_ROW_QUOTE_CHARS)}".`,
      confidence: SHORTFALL_CONFIDENCE,
      suggestion: "Add the row, or process the document again with mapReduce.",
      detail: "The run itself counted the rows that the document has.",
    }),
  );
  return [...invalid, ...short];
}

/** Analyzes a result. Never throws for odd results. */
export function analyzeResult(input: AnalysisInput): Analysis {
  const { layout, result, schema, offline } = input;
  const asked = schema === undefined ? {} : { schema };
  const found = locateValues(layout, result, { granularity: "word", ...asked }).sources;
  const worked = new Map((input.sources?.unresolved ?? []).map(({ pointer, reason }) => [pointer, reason]));
  // Calculated and constant values have no place, which is no fault.
  const sources = {
    ...found,
    unresolved: found.unresolved.map((leaf) => {
      const reason = worked.get(leaf.pointer);
      return reason === "derived" || reason === "constant" ? { ...leaf, reason } : leaf;
    }),
  };
  const second = schema === undefined ? null : extractOffline(layout, { schema, granularity: "word" });
  const beside = offline || second === null ? {} : { second };
  const { verdicts, checks } = weighEvidence({ layout, result, sources, ...asked, ...beside });
  const kept = keptConfidences(input.sources);
  const confidences = Object.fromEntries(
    verdicts.map(({ leaf, signals }) => [
      leaf.pointer,
      kept.get(leaf.pointer) ?? Number(confidenceOf(signals, offline ? "rules" : "model").toFixed(3)),
    ]),
  );
  const doubts = new Map(Object.entries(confidences).map(([pointer, confidence]) => [pointer, 1 - confidence]));
  const lines = layout.pages.flatMap((page) => page.blocks.flatMap((block) => blockLines(block).map(lineText)));
  const notation = decideNotation(lines, "comma");
  const issues = [
    ...valueIssues(verdicts, checks, doubts),
    ...checkRows({ layout, result, sources, second, checks, notation }),
    ...missingFields(schema?.json, result, offline ? undefined : second?.result),
    ...wholeIssues(input),
  ];
  const overall = overallConfidence(
    verdicts.map(({ leaf }) => ({ path: leaf.path, confidence: confidences[leaf.pointer] ?? 0 })),
  );
  return { overall, confidences, issues: ranked(issues), recognised: recognitionOf(layout) };
}

function keptConfidences(sources: SourceLocations | undefined): Map<string, number> {
  if (sources === undefined) return new Map();
  const located = Object.entries(sources.locations).map(([pointer, { confidence }]): [string, number] => [
    pointer,
    confidence,
  ]);
  const others = sources.unresolved.flatMap(({ pointer, confidence }): [string, number][] =>
    confidence === undefined ? [] : [[pointer, confidence]],
  );
  return new Map([...located, ...others]);
}

/** Sorts issues, the surest first. A missing row explains a wrong sum, so the sum's own issues rank lower. */
function ranked(issues: readonly Issue[]): Issue[] {
  const explained = issues.some(({ kind, confidence }) => kind === "missing-row" && confidence > MIN_ISSUE_DOUBT);
  const weight = ({ kind, confidence }: Issue): number =>
    explained && kind === "arithmetic" ? confidence / 2 : confidence;
  return issues
    .map((issue) => ({ ...issue, confidence: Number(weight(issue).toFixed(3)) }))
    .sort((a, b) => b.confidence - a.confidence || fieldOf(a.pointer).localeCompare(fieldOf(b.pointer), "en"));
}

function recognitionOf(layout: Layout): Analysis["recognised"] {
  let words = 0;
  let poor = 0;
  for (const { source, confidence = 1 } of layout.pages.flatMap(pageWords)) {
    if (source !== "ocr") continue;
    words += 1;
    if (confidence < POOR_OCR_CONFIDENCE) poor += 1;
  }
  return { words, poor };
}

/**
 * What may be wrong with a result, from evidence: its values against the page, its checks, its rows, its fields. Pure
 * and deterministic; no model is asked.
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
import { decideNotation } from "../values/numbers.ts";
import { checkRows } from "./check-rows.ts";
import { type Analysis, fieldOf, type Issue, type IssueKind } from "./issue.ts";
import { missingFields } from "./missing-fields.ts";

export interface AnalysisInput {
  layout: Layout;
  result: Json;
  schema?: Json;
  /** As the run left them: what is worked out or constant is known from them, and each value's confidence. */
  sources?: SourceLocations;
  /** The offline extractor made the result: what it says again is no second opinion. */
  offline: boolean;
  validationErrors?: readonly { pointer: string; message: string }[];
  missing?: readonly { list: string; pageNumber: number; text: string }[];
}

/** A value more probable than not to be right is no issue. */
const LEAST_DOUBT = 0.5;
/** Recognition's word for what is read poorly. */
const POOR = 0.6;
/** How much a failed check says of a value that all else speaks for. */
const CHECK_ALONE: Record<CheckKind, number> = {
  checksum: 0.75,
  arithmetic: 0.55,
  order: 0.6,
  format: 0.45,
  schema: 0.5,
  column: 0.2,
};
const KINDS: Record<CheckKind, IssueKind> = {
  checksum: "checksum",
  arithmetic: "arithmetic",
  order: "order",
  format: "format",
  schema: "schema",
  column: "column",
};
/** A code without valid check digits that is printed so: an example, or an error of whoever wrote the document. */
const PRINTED_SO = 0.35;
/** What another reading of the document adds to a suspicion, or takes from it. */
const DIFFERS = 0.3;
const INVALID = 0.9;
const SHORT = 0.9;
const LONGEST_QUOTE = 60;

const quoted = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…"` : text;
};

interface Reason {
  kind: IssueKind;
  issue: string;
}

/** The strongest thing that speaks against a value, in a sentence. */
function reasonFor({ leaf, facts, signals }: Verdict): Reason {
  const value = quoted(leaf.value);
  const check = facts.checks.find(({ ok, kind }) => !ok && kind !== "column");
  if (check !== undefined) return { kind: KINDS[check.kind], issue: check.message };
  if (!facts.located) return { kind: "not-found", issue: `${value} stands nowhere in the document.` };
  if (signals.doubt > 1 - POOR) {
    return {
      kind: "ocr",
      issue: `The words of ${value} were recognised with ${percent(1 - signals.doubt)} confidence only.`,
    };
  }
  if (signals.rival > 0.2) return { kind: "value", issue: `Beside its label stands another value than ${value}.` };
  if (signals.other > 0.2) return { kind: "value", issue: `${value} stands beside the label of another field.` };
  if (signals.offRow > 0.2) return { kind: "value", issue: `${value} stands on the line of another row.` };
  if (signals.offColumn > 0.2) return { kind: "value", issue: `${value} stands out of line with its column.` };
  if (signals.mismatch > 0.2) return { kind: "value", issue: `The document has ${value} in other words only.` };
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

/** A value that stands in the document exactly as it is: what is wrong with it, the document says too. */
const isPrinted = ({ facts, signals }: Verdict): boolean =>
  facts.located && signals.mismatch < 0.05 && signals.doubt < 0.05;

interface Blame {
  checks: Check[];
  confidence: number;
}

/** Each failed check with the one of its values that is most probably at fault for it. */
function blameOf(
  checks: readonly Check[],
  byPointer: ReadonlyMap<string, Verdict>,
  doubtOf: ReadonlyMap<string, number>,
): Map<string, Blame> {
  const sums = checks.filter(({ kind }) => kind === "arithmetic");
  const proven = new Set(sums.filter(({ ok }) => ok).flatMap(({ pointers }) => pointers));
  const failing = checks.filter(({ ok }) => !ok);
  const times = new Map<string, number>();
  for (const pointer of failing.flatMap(({ pointers }) => pointers)) times.set(pointer, (times.get(pointer) ?? 0) + 1);
  const suspicion = (pointer: string): number => {
    const agreement = byPointer.get(pointer)?.facts.agreement;
    const otherwise = agreement === "differs" ? DIFFERS : agreement === "agrees" ? -DIFFERS : 0;
    return (doubtOf.get(pointer) ?? 0) + (times.get(pointer) ?? 0) - 1 + otherwise;
  };
  const blamed = new Map<string, Blame>();
  for (const check of failing) {
    const open = check.pointers.filter((pointer) => check.kind !== "arithmetic" || !proven.has(pointer));
    const suspects = open.length > 0 ? open : check.pointers;
    const [suspect] = [...suspects].sort((a, b) => suspicion(b) - suspicion(a));
    const verdict = suspect === undefined ? undefined : byPointer.get(suspect);
    if (suspect === undefined || verdict === undefined) continue;
    const says = check.kind === "checksum" && isPrinted(verdict) ? PRINTED_SO : CHECK_ALONE[check.kind];
    const before = blamed.get(suspect) ?? { checks: [], confidence: 0 };
    blamed.set(suspect, {
      checks: [...before.checks, check],
      confidence: 1 - (1 - before.confidence) * (1 - says),
    });
  }
  return blamed;
}

/** Values that are more probably wrong than not, and what a failed check is about where none of its values is. */
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
    if (doubt >= LEAST_DOUBT) add(leaf.pointer, doubt);
  }
  for (const [pointer, { checks: failing, confidence }] of blameOf(checks, byPointer, doubtOf)) {
    const [first] = failing;
    if (first === undefined) continue;
    const reason = { kind: KINDS[first.kind], issue: first.message };
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
      confidence: INVALID,
      suggestion: "Correct the value, or the schema where the document is right.",
      detail: "The run left it out of the result for that.",
    }),
  );
  const short = missing.map(
    ({ list, pageNumber, text }): Issue => ({
      pointer: list,
      kind: "shortfall",
      issue: `A row of page ${pageNumber} was not returned: "${text.slice(0, 120)}".`,
      confidence: SHORT,
      suggestion: "Add the row, or process the document again with mapReduce.",
      detail: "The run itself counted the rows that the document has.",
    }),
  );
  return [...invalid, ...short];
}

/** Fills confidences and issues; never throws for a result, however odd. */
export function analyzeResult(input: AnalysisInput): Analysis {
  const { layout, result, schema, offline } = input;
  const asked = schema === undefined ? {} : { schema };
  const found = locateValues(layout, result, { granularity: "word", ...asked }).sources;
  const worked = new Map((input.sources?.unresolved ?? []).map(({ pointer, reason }) => [pointer, reason]));
  // What the run knows to be worked out from other values stands nowhere, and is not at fault for it.
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
      kept.get(leaf.pointer) ?? Number(confidenceOf(signals).toFixed(3)),
    ]),
  );
  const doubts = new Map(Object.entries(confidences).map(([pointer, confidence]) => [pointer, 1 - confidence]));
  const lines = layout.pages.flatMap((page) => page.blocks.flatMap((block) => blockLines(block).map(lineText)));
  const notation = decideNotation(lines, "comma");
  const issues = [
    ...valueIssues(verdicts, checks, doubts),
    ...checkRows({ layout, result, sources, second, checks, notation }),
    ...missingFields(schema, result, offline ? undefined : second?.result),
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

/** A missing row explains a sum that does not come out: the sum's own issues come behind it. */
function ranked(issues: readonly Issue[]): Issue[] {
  const explained = issues.some(({ kind, confidence }) => kind === "missing-row" && confidence > LEAST_DOUBT);
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
    if (confidence < POOR) poor += 1;
  }
  return { words, poor };
}

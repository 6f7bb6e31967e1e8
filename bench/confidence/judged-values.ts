/** Values with their signals: simulated answers of models, and the actual answers of the offline extractor. */

import { alignLists } from "../../client/eval/align.ts";
import { isRight } from "../../client/eval/rules.ts";
import { isScalar, type Scalar } from "../../client/eval/values.ts";
import { weighEvidence } from "../../functions/engine/confidence/judge-result.ts";
import type { Signals } from "../../functions/engine/confidence/signals.ts";
import type { ReadBy } from "../../functions/engine/confidence/weights.ts";
import { replaceAt } from "../../functions/engine/confidence/withhold-unsure.ts";
import { type Explanation, extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import type { SourceLocation, SourceLocations } from "../../functions/engine/layout/source-locations.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { JudgedQuestion } from "../first-sight/measure.ts";
import type { FileKind } from "../first-sight/sets.ts";
import type { BenchDocument, FirstErrors } from "./documents.ts";
import { answerOf, printedIn } from "./faults.ts";
import { misreadValues } from "./misread-values.ts";
import { FIRST_ERRORS } from "./own-values.ts";
import { Random } from "./random.ts";
import { NAMINGS, resultOf, schemaOf } from "./truths.ts";

export interface JudgedValue {
  group: string;
  source: "corpus" | "generated";
  recognised: boolean;
  /**
   * A simulated model alone, a simulated model with the offline extractor beside it, or the offline extractor itself.
   */
  by: "model" | "model and offline" | "offline";
  /** Kind of the document in its set, and the rule that read the value: of the offline extractor's answers to questions. */
  kind?: FileKind;
  rule?: string;
  right: boolean;
  /** The document states a value there; any answer to an unstated field is wrong. */
  stated: boolean;
  /** The planted fault; null for true values and for those of the offline extractor. */
  fault: string | null;
  located: boolean;
  signals: Signals;
  /** Upper limit of its confidence. */
  cap: number;
  pointer: string;
  value: Json;
  expected: Json;
}

/** Whose weights judge it. */
export const readByOf = ({ by }: Pick<JudgedValue, "by">): ReadBy => (by === "offline" ? "rules" : "model");

/** Share of a simulated model's values that are wrong. */
const ERROR_SHARE = 0.12;

/** Compares numbers to half a cent, texts exactly; spaces in identifiers are ignored. */
function isTrue(expected: Json, got: Json): boolean {
  if (!isScalar(expected) || !isScalar(got)) return false;
  if (typeof expected === "number") return isRight(expected, got, { compare: "number", absolute: 0.005 });
  const digits = String(expected).match(/\d/g) ?? [];
  const bare = (value: Scalar): Scalar =>
    typeof value === "string" && digits.length > 3 ? value.replace(/\s+/g, "") : value;
  return isRight(bare(expected), bare(got), { compare: "exact" });
}

/** The value at a JSON Pointer; names contain no escapes here. */
function valueAt(data: Json, pointer: string): Json | undefined {
  let value: Json | undefined = data;
  for (const step of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Array.isArray(value) ? value[Number(step)] : value[step.replace(/~1/g, "/").replace(/~0/g, "~")];
  }
  return value;
}

interface JudgeInput {
  by: JudgedValue["by"];
  document: BenchDocument;
  schema: Json;
  result: Json;
  sources: SourceLocations;
  truth: Json;
  faults: Json;
  second?: { result: Json; sources: SourceLocations };
}

function judge({ by, document, schema, result, sources, truth, faults, second }: JudgeInput): JudgedValue[] {
  const { verdicts } = weighEvidence({
    layout: document.layout,
    result,
    schema: parseSchema(schema),
    sources,
    ...(second === undefined ? {} : { second }),
  });
  return verdicts.flatMap(({ leaf, facts, signals, cap }): JudgedValue[] => {
    const expected = valueAt(truth, leaf.pointer);
    // Null means that the document states nothing; fields of unknown truth are not judged.
    if (expected === undefined) return [];
    const fault = valueAt(faults, leaf.pointer);
    const right = isTrue(expected, leaf.value);
    return [
      {
        group: document.group,
        source: document.source,
        recognised: document.recognised,
        by,
        right,
        stated: expected !== null,
        fault: typeof fault === "string" ? fault : by !== "offline" && !right ? "misread" : null,
        located: facts.located,
        signals,
        cap,
        pointer: leaf.pointer,
        value: leaf.value,
        expected,
      },
    ];
  });
}

/** The entries of a truth in the order of a result of the same length, which follows the page. */
function inOrderOf(result: readonly Json[], truth: readonly Json[]): Json[] {
  const ownOf = new Map(alignLists(truth, result, { align: "best" }).map(([own, at]) => [at, own] as const));
  const paired = new Set(ownOf.values());
  const others = [...truth.keys()].filter((own) => !paired.has(own));
  return result.map((_, at) => truth[ownOf.get(at) ?? others.shift() ?? -1] ?? null);
}

/** Lists of another length than the truth's cannot be compared row by row. */
function comparable(truth: Json, result: Json): Json {
  if (Array.isArray(truth))
    return Array.isArray(result) && result.length === truth.length ? inOrderOf(result, truth) : [];
  if (typeof truth !== "object" || truth === null) return truth;
  return Object.fromEntries(
    Object.entries(truth).map(([name, value]) => [name, comparable(value, valueAt(result, `/${name}`) ?? null)]),
  );
}

const COPIED_MISREADING_SHARE = 0.7;

/** Replaces values by their misreadings, as a model that trusts the recognition does. */
function copyMisread(result: Json, misread: ReadonlyMap<string, Json>, random: Random, pointer = ""): Json {
  if (Array.isArray(result))
    return result.map((item, place) => copyMisread(item, misread, random, `${pointer}/${place}`));
  if (typeof result === "object" && result !== null)
    return Object.fromEntries(
      Object.entries(result).map(([name, value]) => [name, copyMisread(value, misread, random, `${pointer}/${name}`)]),
    );
  const read = misread.get(pointer);
  return read !== undefined && random.chance(COPIED_MISREADING_SHARE) ? read : result;
}

/** Number of values that a truth states. */
function countStated(truth: Json): number {
  if (typeof truth !== "object" || truth === null) return truth === null ? 0 : 1;
  return Object.values(truth).reduce<number>((sum, member) => sum + countStated(member ?? null), 0);
}

export interface JudgedDocument {
  values: JudgedValue[];
  /** Number of values that the offline extractor could have found; lists of another length than the truth's left out. */
  stated: number;
}

/** @param answers number of simulated answers for each naming, half of them beside the offline extractor */
export function judgedValues(document: BenchDocument, answers: number, seed: number): JudgedDocument {
  const { question, firstErrors } = document;
  const own = question === undefined ? [] : [judgedQuestion(document, question)];
  if (question !== undefined && firstErrors !== undefined)
    own.push({ values: judgedErrors(document, question, firstErrors), stated: 0 });
  const isBill = question === undefined || Object.keys(document.truth).length > 0;
  const all = [...own, ...(isBill ? judgedByNaming(document, answers, seed) : [])];
  return { values: all.flatMap(({ values }) => values), stated: all.reduce((sum, { stated }) => sum + stated, 0) };
}

/** The offline extractor's answer to a document's own question, cells of lists included. */
function judgedQuestion(document: BenchDocument, { schema, judge: judgeAnswer }: JudgedQuestion): JudgedDocument {
  const { layout, group, source, recognised, kind } = document;
  const parsed = parseSchema(schema);
  const explanations: Explanation[] = [];
  const read = extractOffline(layout, { schema: parsed, granularity: "word" }, explanations);
  const rules = new Map(explanations.map(({ pointer, rule }) => [pointer, rule]));
  const { verdicts } = weighEvidence({ layout, schema: parsed, readBy: "rules", ...read });
  const judgements = judgeAnswer({ given: read, read }).read;
  const byPointer = new Map(judgements.map((one) => [one.gotAt, one]));
  const values = verdicts.flatMap(({ leaf, facts, signals, cap }): JudgedValue[] => {
    const one = byPointer.get(leaf.pointer);
    if (one === undefined || one.verdict === "absent") return [];
    const { pointer, value } = leaf;
    const right = one.verdict === "right";
    const rule = rules.get(pointer) ?? "list";
    const common = { group, source, recognised, by: "offline" as const, fault: null, rule, ...(kind && { kind }) };
    const expected = one.expected ?? null;
    return [
      { ...common, right, stated: expected !== null, located: facts.located, signals, cap, pointer, value, expected },
    ];
  });
  return { values, stated: judgements.filter(({ expected }) => (expected ?? null) !== null).length };
}

/**
 * The extractor's answer with errors of a first sight put back, which alone are judged: the rules were changed by what
 * these documents showed, and fresh ones show the like.
 */
function judgedErrors(document: BenchDocument, { schema }: JudgedQuestion, errors: FirstErrors): JudgedValue[] {
  const { layout, group, source, recognised, kind } = document;
  const parsed = parseSchema(schema);
  const { result, sources } = extractOffline(layout, { schema: parsed, granularity: "word" });
  const root = { value: result };
  for (const [pointer, [value]] of Object.entries(errors)) replaceAt(root, pointer, value);
  const found = locateValues(layout, root.value, { schema: parsed, granularity: "word" }).sources.locations;
  const places = Object.entries(errors).flatMap(([pointer, [, confidence]]): [string, SourceLocation][] =>
    found[pointer] === undefined ? [] : [[pointer, { ...found[pointer], confidence }]],
  );
  const wrong = new Map(places);
  const locations = { ...sources.locations, ...Object.fromEntries(places) };
  const unresolved = sources.unresolved.filter(({ pointer }) => !wrong.has(pointer));
  const changed = { ...sources, locations, unresolved };
  const { verdicts } = weighEvidence({ layout, result: root.value, schema: parsed, readBy: "rules", sources: changed });
  return verdicts.flatMap(({ leaf: { pointer, value }, facts: { located }, signals, cap }): JudgedValue[] => {
    if (!wrong.has(pointer)) return [];
    const common = {
      group,
      source,
      recognised,
      by: "offline" as const,
      right: false,
      stated: false,
      ...(kind && { kind }),
    };
    return [{ ...common, fault: null, rule: FIRST_ERRORS, located, signals, cap, pointer, value, expected: null }];
  });
}

function judgedByNaming(document: BenchDocument, answers: number, seed: number): JudgedDocument[] {
  const random = new Random(seed);
  const printed = printedIn(document.layout);
  return NAMINGS.map((naming) => {
    const schema = schemaOf(document.truth, naming);
    const truth = resultOf(document.truth, naming);
    const offline = extractOffline(document.layout, { schema: parseSchema(schema), granularity: "word" });
    const misread = misreadValues(document, truth, schema);
    const offlineTruth = comparable(truth, offline.result);
    const values = judge({
      by: "offline",
      document,
      schema,
      result: offline.result,
      sources: offline.sources,
      truth: offlineTruth,
      faults: null,
    });
    for (let count = 0; count < answers; count += 1) {
      const answer = answerOf(document.truth, printed, ERROR_SHARE, random);
      const result = copyMisread(resultOf(answer.values, naming), misread, random);
      const { sources } = locateValues(document.layout, result, { schema: parseSchema(schema), granularity: "word" });
      const beside = count % 2 === 1;
      values.push(
        ...judge({
          by: beside ? "model and offline" : "model",
          document,
          schema,
          result,
          sources,
          truth,
          faults: resultOf(answer.faults, naming),
          ...(beside ? { second: offline } : {}),
        }),
      );
    }
    return { values, stated: countStated(offlineTruth) };
  });
}

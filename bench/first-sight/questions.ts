/** Questions of a set that asks each document something else: a schema of its own, and the values that are right. */
import { type Judgement, judge } from "../../client/eval/judge.ts";
import { isRight } from "../../client/eval/rules.ts";
import { isEmpty } from "../../client/eval/values.ts";
import type { Json } from "../../functions/ports/json.ts";

export interface DocumentQuestions {
  /** As a user writes it who has the empty form, or who knows this kind of document. */
  schema: { type: "object"; properties: { [name: string]: Json } };
  /** Null states that the document prints no answer; an absent member is not judged. */
  values: { [name: string]: Json };
  /** By JSON Pointer: other values that are right too. */
  also?: { [pointer: string]: (string | number | boolean | null)[] };
}

/** The truth of a set with questions: its own, or those of a set of filled forms, which its blank forms do not answer. */
export type QuestionsTruth = { questions: Record<string, DocumentQuestions> } | { questionsOf: string };

export const isQuestionsTruth = (truth: object): truth is QuestionsTruth =>
  "questions" in truth || "questionsOf" in truth;

const isBoolean = (schema: Json | undefined): boolean =>
  typeof schema === "object" && schema !== null && !Array.isArray(schema) && schema.type === "boolean";

/** The same questions about the blank form: nothing is printed there. An open box may be false too. */
export function aboutBlank({ schema, values }: DocumentQuestions): DocumentQuestions {
  const names = Object.keys(values);
  return {
    schema,
    values: Object.fromEntries(names.map((name) => [name, null])),
    also: Object.fromEntries(
      names.filter((name) => isBoolean(schema.properties[name])).map((name) => [`/${name}`, [false]]),
    ),
  };
}

const NORMALISED = { compare: "normalised" } as const;

/** Another right answer is right. Where no value is right too, as at an open box, a right answer counts for nothing. */
function withAlternatives(one: Judgement, also: DocumentQuestions["also"]): Judgement {
  const alternatives = also?.[one.expectedAt ?? ""];
  if (alternatives === undefined || one.verdict === "absent") return one;
  if (one.verdict !== "right" && !alternatives.some((other) => isRight(other, one.got, NORMALISED))) return one;
  return { ...one, verdict: [one.expected, ...alternatives].some(isEmpty) ? "absent" : "right" };
}

/** Numbers are equal as numbers, texts apart from case, width, quotes and punctuation at the ends. */
export const judgeQuestions = ({ values, also }: DocumentQuestions, answer: Json): Judgement[] =>
  judge(values, answer).map((one) => withAlternatives(one, also));

/** Says what is wrong with the questions about one document. */
export function faultsOfQuestions(name: string, { schema, values, also = {} }: DocumentQuestions): string[] {
  const asked = Object.keys(schema.properties);
  return [
    ...Object.keys(values).flatMap((one) => (asked.includes(one) ? [] : [`${name}: ${one} is not asked`])),
    ...Object.keys(also).flatMap((one) => (one.slice(1) in values ? [] : [`${name}: ${one} has no value`])),
    ...(Object.keys(values).length === 0 ? [`${name}: nothing is judged`] : []),
  ];
}

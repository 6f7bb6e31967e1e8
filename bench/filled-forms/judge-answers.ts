/** The engine's answers to questions about a form, judged. */

import { lettersAndDigits } from "../../functions/engine/values/letters-and-digits.ts";
import { isObject, type Json, type JsonObject } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { extractSure } from "../offline/sure.ts";
import type { Answer, Question, QuestionedForm } from "./question.ts";

export interface JudgedAnswer {
  form: string;
  name: string;
  expected: Answer;
  got: Answer;
  confidence: number;
  right: boolean;
}

const typeOf = ({ type, choices }: Question): JsonObject =>
  choices !== undefined ? { enum: choices } : type === "date" ? { type: "string", format: "date" } : { type };

/** The schema that asks the questions; names with full stops are nested. */
export function schemaOf(questions: readonly Question[]): JsonObject {
  const root: JsonObject = { type: "object", properties: {} };
  for (const question of questions) {
    const names = question.name.split(".");
    const last = names.pop() ?? "";
    let at = root;
    for (const name of names) {
      const properties = at.properties as JsonObject;
      properties[name] ??= { type: "object", properties: {} };
      at = properties[name] as JsonObject;
    }
    const about = question.about === "" ? {} : { description: question.about };
    (at.properties as JsonObject)[last] = { ...typeOf(question), ...about };
  }
  return root;
}

function answerAt(result: Json, name: string): Answer {
  let at: Json | undefined = result;
  for (const step of name.split(".")) at = at !== undefined && isObject(at) ? at[step] : undefined;
  return at === undefined || typeof at === "object" ? null : at;
}

/** Texts are the same by their letters and digits. */
const isSame = (got: Answer, expected: Answer): boolean =>
  typeof got === "string" && typeof expected === "string"
    ? lettersAndDigits(got).toLowerCase() === lettersAndDigits(expected).toLowerCase()
    : got === expected;

/**
 * Asks a form its questions. @param blank true for a form that nobody filled: nothing is the right answer to everything,
 * and `false` for a box that is not ticked
 */
export function askForm({ form, questions }: QuestionedForm, layout: Layout, blank: boolean): JudgedAnswer[] {
  const { given } = extractSure(layout, schemaOf(questions));
  return questions.map(({ name, answer, type }) => {
    const got = answerAt(given.result, name);
    const expected = blank ? null : answer;
    const isUnticked = type === "boolean" && got === false && (blank || answer === null);
    const isLeftFalse = !blank && type === "boolean" && got === null && answer === false;
    const location = given.sources.locations[`/${name.replaceAll(".", "/")}`];
    return {
      form,
      name,
      expected,
      got: isUnticked ? null : got,
      confidence: location?.confidence ?? 0,
      right: isUnticked || (!isLeftFalse && isSame(got, expected)),
    };
  });
}

/** A question to a form, with its answer. */

export type Answer = string | number | boolean | null;

export interface Question {
  /** Names from the root of the schema, joined by full stops. */
  name: string;
  about: string;
  type: "string" | "number" | "integer" | "boolean" | "date";
  choices?: string[];
  /** Values to write, by field. */
  written: Record<string, string | boolean>;
  answer: Answer;
}

export interface QuestionedForm {
  /** File of the corpus, without its ending. */
  form: string;
  questions: Question[];
}

type Written = Question["written"];

export const ask = (name: string, about: string, written: Written, answer?: Answer): Question => ({
  name,
  about,
  type: "string",
  written,
  answer: answer === undefined ? String(Object.values(written)[0]) : answer,
});
export const typed = (
  type: Question["type"],
  name: string,
  about: string,
  written: Written,
  answer: Answer,
): Question => ({
  ...ask(name, about, written, answer),
  type,
});
export const flag = (name: string, about: string, written: Written, answer: boolean | null): Question =>
  typed("boolean", name, about, written, answer);
export const choice = (name: string, about: string, choices: string[], written: Written, answer: Answer): Question => ({
  ...ask(name, about, written, answer),
  choices,
});
/** A question about a field that is left empty. */
export const open = (name: string, about = ""): Question => ask(name, about, {}, null);

/** Runs the engine once over each file of a set, without a model, and compares its answers with the truth. */

import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import type { Json } from "../../functions/ports/json.ts";
import { INVOICE_SCHEMA, type Invoice, VALUE_KEYS, type ValueKey } from "../offline/invoices.ts";
import { type JudgedValue, judgeItems, judgeValues } from "../offline/judged.ts";
import type { SureExtraction } from "../offline/sure.ts";
import type { MeasuredEngine } from "./engine.ts";
import { type DocumentQuestions, judgeQuestions } from "./questions.ts";
import { documentOf, type FirstSightSet, needsRecognition, type SetFile, type Truth } from "./sets.ts";

/** The cells of a line item. */
const ITEM_SCHEMA = {
  type: "object",
  properties: {
    description: { type: "string", description: "Name of the goods or the service" },
    quantity: { type: "number" },
    unit_price: { type: "number", description: "Price of one unit" },
    amount: { type: "number", description: "Amount of the line" },
  },
} satisfies Json;

/** A schema with the members that the truths of a set have, the same for all of its files. */
export function schemaOf(truths: Readonly<Record<string, Truth>>): Json {
  const has = (key: ValueKey | "lines"): boolean => Object.values(truths).some((truth) => Object.hasOwn(truth, key));
  const values = VALUE_KEYS.filter(has).map((key) => [key, INVOICE_SCHEMA.properties[key]] as const);
  const lines = has("lines") ? { lines: { type: "array", items: ITEM_SCHEMA } } : {};
  return { type: "object", properties: { ...Object.fromEntries(values), ...lines } };
}

/** A judged value with the confidence that the engine gave it; undefined for none. */
export interface RatedValue extends JudgedValue {
  confidence: number | undefined;
}

export interface FileMeasurement {
  file: SetFile;
  /** Values and cells as the service gives them. */
  values: RatedValue[];
  cells: RatedValue[];
  /** The same with those that are not sure enough to be given. */
  read: RatedValue[];
  /** The error that ended its reading; all of its values are missing then. */
  failed: string | undefined;
}

const invoiceOf = (file: SetFile, { lines = [], ...common }: Truth): Invoice => ({
  path: file.name,
  language: file.language,
  scan: needsRecognition(file.kind),
  common,
  lines,
  unscored: [],
  doubtful: null,
});

const membersOf = (result: Json): { [name: string]: Json } =>
  typeof result === "object" && result !== null && !Array.isArray(result) ? result : {};

function rate(judged: readonly JudgedValue[], { sources }: Pick<SureExtraction["read"], "sources">): RatedValue[] {
  const unresolved = new Map(sources.unresolved.map(({ pointer, confidence }) => [pointer, confidence]));
  return judged.map((one) => {
    const at = one.gotAt ?? "";
    return { ...one, confidence: sources.locations[at]?.confidence ?? unresolved.get(at) };
  });
}

const NOTHING: SureExtraction["read"] = {
  result: {},
  sources: { version: 1, granularity: "word", pages: [], locations: {}, unresolved: [] },
};

/** Judges an answer. Items are judged only where the truth states the list, even an empty one. */
export function judgeAnswer(
  file: SetFile,
  truth: Truth,
  { given, read }: SureExtraction,
): Pick<FileMeasurement, "values" | "cells" | "read"> {
  const invoice = invoiceOf(file, truth);
  const valuesOf = (one: SureExtraction["read"]): RatedValue[] =>
    rate(judgeValues(invoice, membersOf(one.result)), read);
  const cellsOf = (one: SureExtraction["read"]): RatedValue[] =>
    truth.lines === undefined ? [] : rate(judgeItems(invoice, membersOf(one.result).lines ?? null), read);
  return { values: valuesOf(given), cells: cellsOf(given), read: [...valuesOf(read), ...cellsOf(read)] };
}

/** Judges an answer to the questions about one document. */
export function judgeDocument(
  file: SetFile,
  questions: DocumentQuestions,
  { given, read }: SureExtraction,
): Pick<FileMeasurement, "values" | "cells" | "read"> {
  const common = {
    document: file.name,
    language: file.language,
    scan: needsRecognition(file.kind),
    doubtful: false,
  };
  const valuesOf = (one: SureExtraction["read"]): RatedValue[] =>
    rate(
      judgeQuestions(questions, one.result).map((judgement) => ({ ...judgement, ...common })),
      read,
    );
  return { values: valuesOf(given), cells: [], read: valuesOf(read) };
}

const NO_TRUTH: Truth = {};

/** A schema to ask for, and the judge of its answers. */
export interface JudgedQuestion {
  schema: Json;
  judge: (answer: SureExtraction) => Pick<FileMeasurement, "values" | "cells" | "read">;
}

/** The schema of a file, and the judge of its answers. */
export function questionOf({ truths, questions }: FirstSightSet, file: SetFile): JudgedQuestion {
  const asked = questions?.[documentOf(file)];
  if (asked !== undefined) return { schema: asked.schema, judge: (answer) => judgeDocument(file, asked, answer) };
  const truth = truths[documentOf(file)] ?? NO_TRUTH;
  return { schema: schemaOf(truths), judge: (answer) => judgeAnswer(file, truth, answer) };
}

/** Reads and judges one file. An error of the engine is a result too: nothing was found. */
export async function measureFile(
  set: FirstSightSet,
  file: SetFile,
  bytes: Uint8Array,
  { reader, extract }: MeasuredEngine,
): Promise<FileMeasurement> {
  const { schema, judge } = questionOf(set, file);
  try {
    const { mimeType } = sniffDocument(bytes, undefined, file.path);
    const { layout } = await reader.readBytes(bytes, mimeType);
    return { file, ...judge(extract(layout, schema)), failed: undefined };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    return { file, ...judge({ given: NOTHING, read: NOTHING }), failed };
  }
}

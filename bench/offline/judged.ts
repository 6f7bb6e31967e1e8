/** Answers held against what the manifest states, with the rules that this bench compares by. */
import { type Judgement, judge } from "../../client/eval/judge.ts";
import type { PatternRule } from "../../client/eval/rules.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Measured } from "../support/scores.ts";
import { type Invoice, type Item, KEYS, SCHEMA, type Values } from "./invoices.ts";

/** One stated value of an invoice, or one cell of its items. */
export interface Outcome extends Measured {
  language: string;
  scan: boolean;
  /** The stated value contradicts others of its document. */
  doubtful: boolean;
}

/** Sums of money, to half a cent. */
const NUMBER = { compare: "number", absolute: 0.005 } as const;

const rulesOf = (path: string, numbers: readonly string[]): PatternRule[] => [
  { pattern: `${path}/*`, rule: { compare: "exact" } },
  ...numbers.map((name) => ({ pattern: `${path}/${name}`, rule: NUMBER })),
];

const outcome = (invoice: Invoice, judgement: Judgement): Outcome => ({
  ...judgement,
  document: invoice.path.split("/").at(-1) ?? invoice.path,
  language: invoice.language,
  scan: invoice.scan,
  doubtful: invoice.doubtful?.keys.some((key) => judgement.field === `/${key}`) ?? false,
});

/** The ten values: exactly the same but for white space and half a cent. */
export function judgeValues(invoice: Invoice, values: Values): Outcome[] {
  const numbers = KEYS.filter((key) => SCHEMA.properties[key].type === "number");
  const got = Object.fromEntries(KEYS.map((key) => [key, values[key] ?? null]));
  return judge(invoice.common, got, rulesOf("", numbers)).map((one) => outcome(invoice, one));
}

const isNumeric = (value: Json | undefined): boolean =>
  value === undefined || typeof value === "number" || (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));

/** Columns of the truth that are numbers, but for those that only look like some. */
const numericColumns = (lines: readonly Item[]): string[] =>
  [...new Set(lines.flatMap((line) => Object.keys(line)))].filter(
    (name) => lines.every((line) => isNumeric(line[name])) && !/code|pos|number/.test(name),
  );

/** A list of items with the properties that the truth's items have. */
export function itemSchema(lines: readonly Item[]): Json {
  const numbers = numericColumns(lines);
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: numbers.includes(name) ? "number" : "string" }]),
  );
  return { type: "object", properties: { lines: { type: "array", items: { type: "object", properties } } } };
}

/** Items cell by cell, each stated one beside the one that is most like it. */
export const judgeItems = (invoice: Invoice, answer: Json): Outcome[] =>
  judge({ lines: invoice.lines }, { lines: answer }, rulesOf("/lines/*", numericColumns(invoice.lines))).map((one) =>
    outcome(invoice, one),
  );

/** Stated items of which something was found. */
export const itemsFound = (cells: readonly Outcome[]): number =>
  new Set(
    cells.flatMap(({ verdict, expectedAt, document }) =>
      verdict === "right" ? [`${document} ${expectedAt?.split("/").slice(0, 3).join("/")}`] : [],
    ),
  ).size;

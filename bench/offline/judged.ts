/** Compares answers with the manifest by the rules of this bench. */
import { type Judgement, judge } from "../../client/eval/judge.ts";
import type { PatternRule } from "../../client/eval/rules.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { MeasuredValue } from "../support/scores.ts";
import { INVOICE_SCHEMA, type Invoice, type Item, VALUE_KEYS, type Values } from "./invoices.ts";

/** A judged value of an invoice, or a judged cell of its items. */
export interface JudgedValue extends MeasuredValue {
  language: string;
  scan: boolean;
  /** The expected value contradicts others of its document. */
  doubtful: boolean;
}

/** Amounts of money, to half a cent. */
const MONEY_RULE = { compare: "number", absolute: 0.005 } as const;

const rulesOf = (path: string, numbers: readonly string[]): PatternRule[] => [
  { pattern: `${path}/*`, rule: { compare: "exact" } },
  ...numbers.map((name) => ({ pattern: `${path}/${name}`, rule: MONEY_RULE })),
];

const judgedValueOf = (invoice: Invoice, judgement: Judgement): JudgedValue => ({
  ...judgement,
  document: invoice.path.split("/").at(-1) ?? invoice.path,
  language: invoice.language,
  scan: invoice.scan,
  doubtful: invoice.doubtful?.keys.some((key) => judgement.field === `/${key}`) ?? false,
});

/** The ten values: equal except for white space and half a cent. */
export function judgeValues(invoice: Invoice, values: Values): JudgedValue[] {
  const numbers = VALUE_KEYS.filter((key) => INVOICE_SCHEMA.properties[key].type === "number");
  const got = Object.fromEntries(VALUE_KEYS.map((key) => [key, values[key] ?? null]));
  return judge(invoice.common, got, rulesOf("", numbers)).map((one) => judgedValueOf(invoice, one));
}

const isNumeric = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  typeof value === "number" ||
  (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value));

/** Columns of the truth with numbers, except identifiers that look like numbers. */
const numericColumns = (lines: readonly Item[]): string[] =>
  [...new Set(lines.flatMap((line) => Object.keys(line)))].filter(
    (name) => lines.every((line) => isNumeric(line[name])) && !/code|pos|number/.test(name),
  );

/** A schema for a list of items with the members of the truth's items. */
export function itemSchema(lines: readonly Item[]): Json {
  const numbers = numericColumns(lines);
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: numbers.includes(name) ? "number" : "string" }]),
  );
  return { type: "object", properties: { lines: { type: "array", items: { type: "object", properties } } } };
}

/** Items cell by cell, each paired with the most similar one. */
export const judgeItems = (invoice: Invoice, answer: Json): JudgedValue[] =>
  judge({ lines: invoice.lines }, { lines: answer }, rulesOf("/lines/*", numericColumns(invoice.lines))).map((one) =>
    judgedValueOf(invoice, one),
  );

/** The number of expected items with at least one found cell. */
export const itemsFound = (cells: readonly JudgedValue[]): number =>
  new Set(
    cells.flatMap(({ verdict, expectedAt, document }) =>
      verdict === "right" ? [`${document} ${expectedAt?.split("/").slice(0, 3).join("/")}`] : [],
    ),
  ).size;

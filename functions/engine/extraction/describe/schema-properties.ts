import type { Json } from "../../../ports/json.ts";
import { parseBoolean } from "../../values/booleans.ts";
import { scanEmails, scanUrls } from "../../values/codes.ts";
import type { DateOrder } from "../../values/dates.ts";
import { scanDates } from "../../values/dates.ts";
import { type Notation, scanNumbers } from "../../values/numbers.ts";
import { foldText } from "../../values/text-folding.ts";
import type { ValueKind } from "../../values/vocabulary/vocabulary.ts";

export type Property = { [member: string]: Json };

const MAX_NAME_CHARS = 40;
const MAX_DESCRIPTION_CHARS = 200;

/** `Rechnungs-Nr. (intern):` → `rechnungs_nr_intern`; empty for a text without letters. */
export function snakeCase(text: string): string {
  const words = foldText(text)
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  const name =
    words.length <= MAX_NAME_CHARS
      ? words
      : words.slice(0, words.lastIndexOf("_", MAX_NAME_CHARS) + 1 || MAX_NAME_CHARS);
  const whole = name.replace(/_+$/, "");
  if (!/[a-z]/.test(whole)) return "";
  return /^\d/.test(whole) ? `n_${whole}` : whole;
}

/** The name, with a number when it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}_${count}`;
  return free;
}

const TYPE_OF_KIND: Partial<Record<ValueKind, Property>> = {
  date: { type: "string", format: "date" },
  amount: { type: "number" },
  rate: { type: "number" },
  quantity: { type: "number" },
  email: { type: "string", format: "email" },
  url: { type: "string", format: "uri" },
};

/** The type of a concept's values. */
export const typeOfKind = (kind: ValueKind): Property => ({ ...(TYPE_OF_KIND[kind] ?? { type: "string" }) });

export interface Notations {
  notation: Notation;
  order: DateOrder;
}

const covers = (spans: readonly { start: number; end: number }[], text: string): boolean =>
  spans.length === 1 && spans[0]?.start === 0 && spans[0].end === text.length;

/** Digits that are a code rather than a number: with leading zeros, or longer than amounts. */
const isCode = (text: string): boolean => /^0\d/.test(text) || /^\d{7,}$/.test(text);

/** The type of a printed value; text when nothing else is sure. */
export function typeOfValue(value: string, { notation, order }: Notations): Property {
  const text = value.trim();
  if (covers(scanDates(text, order), text)) return { type: "string", format: "date" };
  if (covers(scanEmails(text), text)) return { type: "string", format: "email" };
  if (/^https?:/.test(text) && covers(scanUrls(text), text)) return { type: "string", format: "uri" };
  const [number] = scanNumbers(text, notation);
  const isNumber = number !== undefined && covers([number], text) && !isCode(text);
  if (isNumber && (number.decimals > 0 || number.currency !== null || number.percent)) return { type: "number" };
  if (isNumber) return { type: "integer" };
  return parseBoolean(text) === null ? { type: "string" } : { type: "boolean" };
}

/** The common type of a column's values: integers and numbers are numbers; otherwise text. */
export function typeOfValues(values: readonly string[], notations: Notations): Property {
  const types = values.filter((value) => value.trim() !== "").map((value) => typeOfValue(value, notations));
  const [first] = types;
  if (first === undefined) return { type: "string" };
  if (types.every((type) => type.type === first.type && type.format === first.format)) return first;
  return types.every(({ type }) => type === "number" || type === "integer") ? { type: "number" } : { type: "string" };
}

/** A property with the printed label as description. */
export function described(property: Property, label: string): Property {
  const text = label
    .replace(/\s*[:：]\s*$/, "")
    .trim()
    .slice(0, MAX_DESCRIPTION_CHARS);
  return text === "" ? property : { ...property, description: text };
}

import { isObject, type Json, type JsonObject, own } from "../../ports/json.ts";
import { parseBoolean } from "../values/booleans.ts";
import { parseCurrency } from "../values/currencies.ts";
import { parseDate } from "../values/dates.ts";
import { parseNumber } from "../values/numbers.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import { foldText } from "../values/text-folding.ts";
import { boundedPattern } from "./bounded-regex.ts";
import { namedTypes } from "./schema-resolver.ts";

type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Longer texts are no numbers, dates or choices. */
const MAX_CONVERTED_CHARS = 200;

export const typeOf = (value: Json): JsonType => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" ? type : "object";
};

/** The allowed values, when the schema lists them. */
export function choicesOf(schema: JsonObject): Json[] | undefined {
  const listed = own(schema, "enum");
  if (Array.isArray(listed)) return listed;
  return Object.hasOwn(schema, "const") ? [own(schema, "const") ?? null] : undefined;
}

/** The types that a schema allows by `type`, choices or parts; undefined when it leaves them open. */
export function typesOf(schema: JsonObject): Set<JsonType> | undefined {
  const choices = choicesOf(schema);
  if (choices !== undefined) return new Set(choices.map(typeOf));
  const named = namedTypes(schema);
  if (named.length > 0) return new Set(named.map((name) => (name === "integer" ? "number" : (name as JsonType))));
  if (isObject(own(schema, "properties")) || own(schema, "additionalProperties") !== undefined)
    return new Set(["object"]);
  if (own(schema, "items") !== undefined || own(schema, "prefixItems") !== undefined) return new Set(["array"]);
  return undefined;
}

/** The value has the type, or is a choice, of one alternative; formats and patterns are not checked. */
export function isOf(value: Json, schema: JsonObject): boolean {
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.some((choice) => choice === value);
  const types = typesOf(schema);
  if (types !== undefined && !types.has(typeOf(value))) return false;
  const named = namedTypes(schema);
  return typeof value !== "number" || !named.includes("integer") || named.includes("number") || Number.isInteger(value);
}

function toNumber(text: string, { notation }: TextConventions): number | undefined {
  const number = parseNumber(text, notation);
  if (number !== null) return number;
  // Notation of JSON: 1.2e-7.
  return /^[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/.test(text.trim()) ? Number(text) : undefined;
}

function matches(pattern: string, text: string): boolean {
  try {
    return boundedPattern(pattern).test(text);
  } catch {
    return false;
  }
}

/** The code of a currency's sign or name, when only codes fit the choices or the pattern. */
function toCurrency(text: string, schema: JsonObject, { currencies }: TextConventions): string | undefined {
  const choices = choicesOf(schema);
  const pattern = own(schema, "pattern");
  if (choices === undefined && typeof pattern !== "string") return undefined;
  const code = parseCurrency(text, new Set(currencies));
  if (code === null || code === text) return undefined;
  if (choices !== undefined) return choices.includes(code) ? code : undefined;
  const fits = (one: string): boolean => typeof pattern === "string" && matches(pattern, one);
  return !fits(text) && fits(code) ? code : undefined;
}

function toChoice(text: string, choices: readonly Json[]): Json | undefined {
  const folded = foldText(text.trim());
  const alike = choices.filter((choice) => typeof choice === "string" && foldText(choice.trim()) === folded);
  return alike.length === 1 ? alike[0] : undefined;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

function toText(value: string, schema: JsonObject, conventions: TextConventions): Json | undefined {
  const choices = choicesOf(schema);
  if (choices !== undefined && !choices.includes(value)) {
    const choice = toChoice(value, choices);
    if (choice !== undefined) return choice;
  }
  if (own(schema, "format") === "date" && !ISO_DATE.test(value)) {
    const date = parseDate(value, conventions.order);
    if (date !== null) return date;
  }
  return toCurrency(value, schema, conventions) ?? undefined;
}

/**
 * Converts a scalar to one alternative of a schema.
 * @returns undefined when it does not convert; the value itself when it already fits
 */
export function convertScalar(value: Json, schema: JsonObject, conventions: TextConventions): Json | undefined {
  const types = typesOf(schema);
  if (typeof value === "string") {
    if (types === undefined || types.has("string")) {
      const text = value.length > MAX_CONVERTED_CHARS ? undefined : toText(value, schema, conventions);
      return text ?? (isOf(value, schema) ? value : undefined);
    }
    if (value.length > MAX_CONVERTED_CHARS) return undefined;
    if (types.has("number")) {
      const number = toNumber(value, conventions);
      if (number !== undefined && isOf(number, schema)) return number;
    }
    const truth = types.has("boolean") ? parseBoolean(value) : null;
    return truth !== null && isOf(truth, schema) ? truth : undefined;
  }
  if (isOf(value, schema)) return value;
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  return text !== undefined && types?.has("string") === true && isOf(text, schema) ? text : undefined;
}

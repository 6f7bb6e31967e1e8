/**
 * Readers of operations' parameters: numbers, booleans and lists, as JSON or as strings of command lines. Faults have
 * the path of their parameter.
 */

import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import { MAX_PAGE_NUMBER, PAGE_RANGE_PATTERN, PAGE_RANGES_PATTERN, readPageRanges } from "../values/page-ranges.ts";
import { decimalsPattern, digitsPattern, paddedPattern, wordsPattern } from "../values/text-patterns.ts";

/** A kind of parameter. */
export interface ParameterKind {
  /** JSON Schema of what `read` takes. */
  schema: JsonObject;
  /** Reads one value; a `fault` completes a sentence that begins with the member's name. */
  read(value: unknown): { value: Json } | { fault: string };
}

export interface ParameterSpec {
  /** The documented name, then aliases that clients send. */
  names: readonly [string, ...string[]];
  kind: ParameterKind;
  /** Default value; absent: the parameter is required, and has one name. */
  defaultValue?: Json;
}

/** A number, or a text that a pattern allows. */
function numberKind(least: number, most: number, whole: boolean, pattern: string): ParameterKind {
  const texts = new RegExp(pattern);
  const fault = `must be ${whole ? "an integer" : "a number"} from ${least} to ${most}`;
  const type = whole ? "integer" : "number";
  return {
    schema: {
      anyOf: [
        { type, minimum: least, maximum: most },
        { type: "string", pattern },
      ],
    },
    read(value) {
      const found = typeof value === "string" && texts.test(value) ? Number(value) : value;
      const fits = typeof found === "number" && found >= least && found <= most && (!whole || Number.isInteger(found));
      return fits ? { value: found } : { fault };
    },
  };
}

/** An integer, which may be sent as digits. */
export const integerFrom = (least: number, most: number): ParameterKind =>
  numberKind(least, most, true, paddedPattern(`0*(?:${digitsPattern(least, most)})(?:\\.0{1,15})?`));

/** A number from 0, which may be sent as a text. */
export const numberUpTo = (most: number): ParameterKind =>
  numberKind(0, most, false, paddedPattern(decimalsPattern(most)));

const TRUE = new RegExp(paddedPattern(wordsPattern(["true", "1", "yes"])));
const FALSE = new RegExp(paddedPattern(wordsPattern(["false", "0", "no"])));

export const booleanKind: ParameterKind = {
  schema: { anyOf: [{ type: "boolean" }, { type: "string", pattern: `${TRUE.source}|${FALSE.source}` }] },
  read(value) {
    if (typeof value === "boolean") return { value };
    if (typeof value === "string" && TRUE.test(value)) return { value: true };
    if (typeof value === "string" && FALSE.test(value)) return { value: false };
    return { fault: "must be true or false" };
  },
};

/** A text that is not blank, of at most `most` characters. */
export const textUpTo = (most: number): ParameterKind => ({
  schema: { type: "string", pattern: "\\S", maxLength: most },
  read(value) {
    if (typeof value !== "string" || value.trim() === "") return { fault: "must be a text" };
    return value.length > most ? { fault: `must have at most ${most} characters` } : { value: value.trim() };
  },
});

/** One of some words, in any case. */
export function oneOf(...words: readonly string[]): ParameterKind {
  const patterns = words.map((word) => ({ word, pattern: new RegExp(paddedPattern(wordsPattern([word]))) }));
  return {
    schema: { type: "string", pattern: paddedPattern(wordsPattern(words)) },
    read(value) {
      const found = patterns.find(({ pattern }) => typeof value === "string" && pattern.test(value));
      return found === undefined ? { fault: `must be one of ${words.join(", ")}` } : { value: found.word };
    },
  };
}

/** A list of texts, or texts joined by commas. */
export function textList(most: number, longest: number): ParameterKind {
  const one = `[^,]{0,${longest}}`;
  return {
    schema: {
      anyOf: [
        { type: "array", maxItems: most, items: { type: "string", maxLength: longest } },
        { type: "string", pattern: `^${one}(?:,${one}){0,${most - 1}}$` },
      ],
    },
    read(value) {
      const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
      const isText = (item: unknown): item is string => typeof item === "string" && item.length <= longest;
      const given = typeof value === "string" || Array.isArray(value);
      if (!given || list.length > most || !list.every(isText)) {
        return { fault: `must be a list of at most ${most} texts, or texts joined by commas` };
      }
      return { value: list.map((item: string) => item.trim()).filter((item) => item !== "") };
    },
  };
}

/** JSON of one kind, or its text. */
function jsonKind(type: "object" | "array", isKind: (value: unknown) => boolean, pattern: string): ParameterKind {
  const texts = new RegExp(pattern);
  const fault = `must be ${type === "object" ? "an object" : "a list"}, or its JSON as a text`;
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
  return {
    schema: { anyOf: [{ type }, { type: "string", pattern }] },
    read(value) {
      const found = typeof value === "string" && texts.test(value) ? parsed(value) : value;
      return isKind(found) ? { value: found as Json } : { fault };
    },
  };
}

export const jsonObject: ParameterKind = jsonKind("object", isObject, "^\\s*\\{[\\s\\S]*\\}\\s*$");
export const jsonList: ParameterKind = jsonKind("array", Array.isArray, "^\\s*\\[[\\s\\S]*\\]\\s*$");

const pageNumber: JsonObject = { type: "integer", minimum: 1, maximum: MAX_PAGE_NUMBER };

/** Page numbers from 1: `1-3,7`, a number, or a list of them; read into a sorted list. */
export const pageListKind: ParameterKind = {
  schema: {
    anyOf: [
      pageNumber,
      { type: "string", pattern: PAGE_RANGES_PATTERN },
      { type: "array", minItems: 1, items: { anyOf: [pageNumber, { type: "string", pattern: PAGE_RANGE_PATTERN }] } },
    ],
  },
  read(value) {
    const fault = { fault: "must name pages like 1-3,7" };
    const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
    if (!parts.every((part) => typeof part === "string" || typeof part === "number")) return fault;
    const found = readPageRanges(parts.map(String));
    return found === undefined || found.length === 0 ? fault : { value: found };
  },
};

/**
 * Reads one parameter, or its default; a fault completes a sentence that begins with the name. Of several names the
 * first counts, but each value must fit.
 */
function readOne(
  given: Readonly<Record<string, unknown>>,
  { names, kind, defaultValue: otherwise }: ParameterSpec,
): { name: string } & ({ value: Json } | { fault: string; missing: boolean }) {
  const all = names.filter((one) => Object.hasOwn(given, one) && given[one] !== null && given[one] !== undefined);
  const read = all.map((name) => ({ name, missing: false, ...kind.read(given[name]) }));
  const counts = read.find((one) => "fault" in one) ?? read[0];
  if (counts !== undefined) return counts;
  return {
    name: names[0],
    ...(otherwise === undefined ? { fault: "must be given", missing: true } : { value: otherwise }),
  };
}

/** JSON Schema of the parameters that `readParameters` takes; a null means absent. */
export function parametersSchema(specs: readonly ParameterSpec[]): JsonObject {
  const members = specs.flatMap(({ names, kind }) => names.map((name): [string, Json] => [name, kind.schema]));
  const required = specs.filter(({ defaultValue }) => defaultValue === undefined).map(({ names }) => names[0]);
  return { type: "object", properties: Object.fromEntries(members), ...(required.length === 0 ? {} : { required }) };
}

/** Finds faults of parameters of which some are set later; those may be missing. */
export const findParameterFaults = (
  given: Readonly<Record<string, unknown>>,
  specs: readonly ParameterSpec[],
  comesLater: (name: string) => boolean,
): { name: string; message: string }[] =>
  specs.flatMap((spec) => {
    const one = readOne(given, spec);
    if (!("fault" in one) || (one.missing && spec.names.some(comesLater))) return [];
    return [{ name: one.name, message: one.fault }];
  });

/**
 * Reads parameters by their specification; unknown ones are ignored, as everywhere in the API.
 * @param at JSON Pointer of the parameters' object
 * @throws BadRequest naming every fault
 */
export function readParameters(
  given: Readonly<Record<string, unknown>>,
  specs: readonly ParameterSpec[],
  at: string,
): JsonObject {
  const read: JsonObject = {};
  const errors: MemberFault[] = [];
  for (const spec of specs) {
    const one = readOne(given, spec);
    if ("fault" in one) errors.push({ path: `${at}/${one.name}`, message: one.fault });
    else read[spec.names[0]] = one.value;
  }
  if (errors.length === 0) return read;
  const named = errors.map(({ path, message }) => `${path.slice(path.lastIndexOf("/") + 1)} ${message}`).join("; ");
  throw new BadRequest(`Invalid parameters: ${named}`, { errors });
}

/**
 * Readers of operations' parameters: numbers, booleans and lists, as JSON or as strings of command lines. Faults have
 * the path of their parameter.
 */

import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import { readPageRanges } from "../values/page-ranges.ts";

/** Reads one value; a `fault` completes a sentence that begins with the member's name. */
export type ParameterReader = (value: unknown) => { value: Json } | { fault: string };

export interface ParameterSpec {
  /** The documented name, then aliases that clients send. */
  names: readonly [string, ...string[]];
  read: ParameterReader;
  /** Default value; absent: the parameter is required. */
  defaultValue?: Json;
}

const numberOf = (value: unknown): number =>
  typeof value === "number"
    ? value
    : typeof value === "string" && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value)
      ? Number(value)
      : Number.NaN;

/** A number from `least` to `most`. */
export const numberFrom =
  (least: number, most: number, { whole = false } = {}): ParameterReader =>
  (value) => {
    const found = numberOf(value);
    const fits = found >= least && found <= most && (!whole || Number.isInteger(found));
    return fits ? { value: found } : { fault: `must be ${whole ? "an integer" : "a number"} from ${least} to ${most}` };
  };

export const booleanReader: ParameterReader = (value) => {
  if (typeof value === "boolean") return { value };
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (/^(true|1|yes)$/.test(text)) return { value: true };
  if (/^(false|0|no)$/.test(text)) return { value: false };
  return { fault: "must be true or false" };
};

/** A text that is not blank, of at most `most` characters. */
export const textUpTo =
  (most: number): ParameterReader =>
  (value) => {
    if (typeof value !== "string" || value.trim() === "") return { fault: "must be a text" };
    return value.length > most ? { fault: `must have at most ${most} characters` } : { value: value.trim() };
  };

/** One of some words, in any case. */
export const oneOf =
  (...words: readonly string[]): ParameterReader =>
  (value) => {
    const found = words.find((word) => typeof value === "string" && word === value.trim().toLowerCase());
    return found === undefined ? { fault: `must be one of ${words.join(", ")}` } : { value: found };
  };

/** A list of texts, or texts joined by commas. */
export const textList =
  (most: number, longest: number): ParameterReader =>
  (value) => {
    const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
    const isText = (one: unknown): one is string => typeof one === "string" && one.length <= longest;
    const given = typeof value === "string" || Array.isArray(value);
    if (!given || list.length > most || !list.every(isText)) {
      return { fault: `must be a list of at most ${most} texts, or texts joined by commas` };
    }
    return { value: list.map((one: string) => one.trim()).filter((one) => one !== "") };
  };

/** Page numbers from 1: `1-3,7`, a number, or a list of them; read into a sorted list. */
export const pageList: ParameterReader = (value) => {
  const fault = { fault: "must name pages like 1-3,7" };
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
  if (!parts.every((part) => typeof part === "string" || typeof part === "number")) return fault;
  const found = readPageRanges(parts.map(String));
  return found === undefined || found.length === 0 ? fault : { value: found };
};

/** Reads one parameter, or its default; a fault completes a sentence that begins with the name. */
function readOne(
  given: Readonly<Record<string, unknown>>,
  { names, read, defaultValue: otherwise }: ParameterSpec,
): { name: string } & ({ value: Json } | { fault: string; missing: boolean }) {
  const name = names.find((one) => Object.hasOwn(given, one) && given[one] !== null && given[one] !== undefined);
  if (name === undefined) {
    return {
      name: names[0],
      ...(otherwise === undefined ? { fault: "must be given", missing: true } : { value: otherwise }),
    };
  }
  const found = read(given[name]);
  return { name, ...("fault" in found ? { fault: found.fault, missing: false } : found) };
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

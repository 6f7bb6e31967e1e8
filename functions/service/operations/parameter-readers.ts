/**
 * Parameters of operations: numbers, booleans and lists come as JSON or as the strings that command lines send. Every
 * fault is named by its path.
 */
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { Parameters } from "../runs/run-command.ts";

/** Reads one value; a `fault` says how a sentence about the member goes on. */
export type Reader = (value: unknown) => { value: Json } | { fault: string };

export interface ParameterSpec {
  /** The name as it is documented; others by which clients send it are read as well. */
  names: readonly [string, ...string[]];
  read: Reader;
  /** Absent: the parameter must be given. */
  otherwise?: Json;
}

const numberOf = (value: unknown): number =>
  typeof value === "number"
    ? value
    : typeof value === "string" && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value)
      ? Number(value)
      : Number.NaN;

/** A number from `least` to `most`. */
export const number =
  (least: number, most: number, { whole = false } = {}): Reader =>
  (value) => {
    const found = numberOf(value);
    const fits = found >= least && found <= most && (!whole || Number.isInteger(found));
    return fits ? { value: found } : { fault: `must be ${whole ? "an integer" : "a number"} from ${least} to ${most}` };
  };

export const boolean: Reader = (value) => {
  if (typeof value === "boolean") return { value };
  const text = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (/^(true|1|yes)$/.test(text)) return { value: true };
  if (/^(false|0|no)$/.test(text)) return { value: false };
  return { fault: "must be true or false" };
};

/** A text that is not blank, of at most so many characters. */
export const text =
  (most: number): Reader =>
  (value) => {
    if (typeof value !== "string" || value.trim() === "") return { fault: "must be a text" };
    return value.length > most ? { fault: `must have at most ${most} characters` } : { value: value.trim() };
  };

/** One of some words, in any case. */
export const choice =
  (...words: readonly string[]): Reader =>
  (value) => {
    const found = words.find((word) => typeof value === "string" && word === value.trim().toLowerCase());
    return found === undefined ? { fault: `must be one of ${words.join(", ")}` } : { value: found };
  };

/** Texts as a list, or joined by commas. */
export const texts =
  (most: number, longest: number): Reader =>
  (value) => {
    const list = typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [];
    const isText = (one: unknown): one is string => typeof one === "string" && one.length <= longest;
    const given = typeof value === "string" || Array.isArray(value);
    if (!given || list.length > most || !list.every(isText)) {
      return { fault: `must be a list of at most ${most} texts, or texts joined by commas` };
    }
    return { value: list.map((one: string) => one.trim()).filter((one) => one !== "") };
  };

const MOST_PAGES = 10_000;

/** Pages from 1: `1-3,7`, a number, or a list of them; read to a list in order. */
export const pages: Reader = (value) => {
  const fault = { fault: "must name pages like 1-3,7" };
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [value];
  const found = new Set<number>();
  for (const part of parts) {
    const range = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(String(part));
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])];
    if (!(first >= 1 && last >= first && last - first < MOST_PAGES)) return fault;
    for (let page = first; page <= last; page += 1) found.add(page);
    if (found.size > MOST_PAGES) return fault;
  }
  return found.size === 0 ? fault : { value: [...found].sort((a, b) => a - b) };
};

/** One parameter as it was given, or as it is where it is not; a fault's sentence begins behind the name. */
function readOne(
  given: Readonly<Record<string, unknown>>,
  { names, read, otherwise }: ParameterSpec,
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

/** What is wrong with parameters of which some may come later: what is missing of those is no fault. */
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
 * Reads parameters by their specification; what is not specified is passed over, as everywhere on the wire.
 * @param at JSON Pointer of the object that holds them
 * @throws BadRequest naming every fault
 */
export function readParameters(
  given: Readonly<Record<string, unknown>>,
  specs: readonly ParameterSpec[],
  at: string,
): Parameters {
  const read: Parameters = {};
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

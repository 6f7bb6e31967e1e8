/** The largest part of some data that fits its schema. It removes wrong values, and as little else as possible. */
import { isObject, type Json, type JsonObject, setOwn } from "../../ports/json.ts";
import { type DataFault, isLack, messageOf, placeOf } from "./data-faults.ts";
import { pointerOf, stepsOf } from "./json-pointer.ts";
import { canonicalText } from "./json-text.ts";
import { primaryErrors } from "./primary-errors.ts";
import type { SchemaError, Validator } from "./validator.ts";

/** A round takes out all wrong values of one depth; lists in lists need a few rounds. */
const MAX_PRUNING_ROUNDS = 300;

interface ValidPart {
  data: Json;
  /** Values that were taken out, and required values that are missing; empty for valid data. */
  faults: DataFault[];
}

interface Target {
  place: string;
  steps: string[];
  error: SchemaError;
}

/** Keywords about a list's length: the items beyond go. */
const LENGTH_KEYWORDS = new Set(["maxItems", "items", "additionalItems", "unevaluatedItems"]);
/** Keywords about a member's name: null does not repair it. */
const NAME_KEYWORDS = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames"]);

const byDepth = (a: Target, b: Target): number =>
  b.steps.length - a.steps.length || Number(b.steps.at(-1)) - Number(a.steps.at(-1)) || 0;

/** Takes wrong values out of data, and reports them by their places in the original. */
class Pruner {
  data: Json;
  /** Original indexes of the items of shortened lists. */
  readonly #origins = new WeakMap<Json[], number[]>();
  readonly #nulled = new Set<string>();
  readonly faults = new Map<string, string>();

  constructor(data: Json) {
    this.data = data;
  }

  /** @returns false when the whole value is wrong */
  prune(errors: readonly SchemaError[]): boolean {
    const busy = new Set<string>();
    const targets = errors
      .map((error): Target => ({ place: placeOf(error), steps: stepsOf(placeOf(error)), error }))
      .sort(byDepth);
    for (const target of targets) {
      // Inner values are repaired first: the outer error may go with them.
      if (busy.has(target.place)) continue;
      if (!this.#takeOut(target)) return false;
      for (let length = target.steps.length; length >= 0; length -= 1) {
        busy.add(pointerOf(target.steps.slice(0, length)));
      }
    }
    return true;
  }

  note(place: string, message: string): void {
    const pointer = this.#originOf(stepsOf(place));
    if (!this.faults.has(pointer)) this.faults.set(pointer, message);
  }

  #takeOut({ place, steps, error }: Target): boolean {
    const value = this.#at(steps);
    const { keyword, params } = error;
    if (Array.isArray(value) && LENGTH_KEYWORDS.has(keyword) && typeof params.limit === "number") {
      this.note(place, messageOf(error));
      this.#keep(value, (_, at) => at < params.limit);
      return true;
    }
    if (Array.isArray(value) && keyword === "uniqueItems") {
      this.note(place, messageOf(error));
      const seen = new Set<string>();
      this.#keep(value, (item) => seen.size < seen.add(canonicalText(item)).size);
      return true;
    }
    if (isObject(value) && keyword === "maxProperties" && typeof params.limit === "number") {
      this.note(place, messageOf(error));
      for (const name of Object.keys(value).slice(params.limit)) delete value[name];
      return true;
    }
    const last = steps.at(-1);
    const parent = last === undefined ? undefined : this.#at(steps.slice(0, -1));
    if (last === undefined || typeof parent !== "object" || parent === null) return false;
    this.note(place, messageOf(error));
    const origin = this.#originOf(steps);
    if (
      value !== null &&
      !NAME_KEYWORDS.has(keyword) &&
      error.propertyName === undefined &&
      !this.#nulled.has(origin)
    ) {
      this.#nulled.add(origin);
      put(parent, last, null);
    } else if (Array.isArray(parent)) this.#keep(parent, (_, at) => at !== Number(last));
    else delete parent[last];
    return true;
  }

  #keep(list: Json[], wanted: (item: Json, at: number) => boolean): void {
    const origins = this.#origins.get(list) ?? list.map((_, at) => at);
    const kept = list.flatMap((item, at) => (wanted(item, at) ? [{ item, origin: origins[at] ?? at }] : []));
    list.splice(0, list.length, ...kept.map(({ item }) => item));
    this.#origins.set(
      list,
      kept.map(({ origin }) => origin),
    );
  }

  #at(steps: readonly string[]): Json | undefined {
    let value: Json | undefined = this.data;
    for (const step of steps) {
      if (Array.isArray(value)) value = value[Number(step)];
      else if (isObject(value) && Object.hasOwn(value, step)) value = value[step];
      else return undefined;
    }
    return value;
  }

  #originOf(steps: readonly string[]): string {
    let value: Json | undefined = this.data;
    const origin: (string | number)[] = [];
    for (const step of steps) {
      if (Array.isArray(value)) {
        origin.push(this.#origins.get(value)?.[Number(step)] ?? step);
        value = value[Number(step)];
      } else {
        origin.push(step);
        value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      }
    }
    return pointerOf(origin);
  }
}

/** Defines members instead of assigning them: one may be named `__proto__`. */
function put(parent: JsonObject | Json[], step: string, value: Json): void {
  if (Array.isArray(parent)) parent[Number(step)] = value;
  else setOwn(parent, step, value);
}

/**
 * Removes from some data, in place, the values that its schema forbids: a value becomes null when the schema allows it,
 * else its member or item goes. Missing required values are reported, and the values beside them stay: a row without its
 * price is still a row. So the outcome holds nothing wrong, but may lack something.
 * @returns the valid part with its faults, or the fault of the whole when nothing can be kept
 */
export function validPart(data: Json, validator: Validator): ValidPart | { fault: DataFault } {
  const pruner = new Pruner(data);
  for (let round = 0; round < MAX_PRUNING_ROUNDS; round += 1) {
    const errors = primaryErrors(validator.check(pruner.data), validator.schema);
    const wrong = errors.filter((error) => !isLack(error));
    if (wrong.length === 0) {
      for (const error of errors) pruner.note(placeOf(error), messageOf(error));
      const faults = [...pruner.faults].map(([pointer, message]) => ({ pointer, message }));
      return { data: pruner.data, faults };
    }
    const [first] = wrong;
    if (!pruner.prune(wrong)) {
      const whole = wrong.find((error) => placeOf(error) === "") ?? first;
      return { fault: { pointer: "", message: whole === undefined ? "does not fit" : messageOf(whole) } };
    }
  }
  return { fault: { pointer: "", message: "does not fit the schema" } };
}

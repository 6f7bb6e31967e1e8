import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import { type DataFault, isLack, messageOf, placeOf } from "./data-faults.ts";
import { pointerOf, stepsOf } from "./json-pointer.ts";
import { canonical } from "./json-text.ts";
import { blame } from "./primary-errors.ts";
import type { SchemaError, Validator } from "./validator.ts";

/** Each takes out all that is wrong at the same time; values in lists in lists need a few. */
const MOST_ROUNDS = 300;

interface ValidPart {
  data: Json;
  /** What was taken out, and what is missing that the schema requires. None: the data fits. */
  faults: DataFault[];
}

interface Target {
  place: string;
  steps: string[];
  error: SchemaError;
}

/** Keywords about a list's length: what is beyond goes. */
const TOO_LONG = new Set(["maxItems", "items", "additionalItems", "unevaluatedItems"]);
/** Keywords about a member's name: null would not mend it. */
const UNWANTED = new Set(["additionalProperties", "unevaluatedProperties", "propertyNames"]);

const byDepth = (a: Target, b: Target): number =>
  b.steps.length - a.steps.length || Number(b.steps.at(-1)) - Number(a.steps.at(-1)) || 0;

class Pruner {
  data: Json;
  /** Where the items of a shortened list stood before. */
  readonly #origins = new WeakMap<Json[], number[]>();
  readonly #nulled = new Set<string>();
  readonly faults = new Map<string, string>();

  constructor(data: Json) {
    this.data = data;
  }

  /** @returns false when it is the whole that is wrong */
  prune(errors: readonly SchemaError[]): boolean {
    const busy = new Set<string>();
    const targets = errors
      .map((error): Target => ({ place: placeOf(error), steps: stepsOf(placeOf(error)), error }))
      .sort(byDepth);
    for (const target of targets) {
      // What is inside is mended first: perhaps that is all.
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
    if (Array.isArray(value) && TOO_LONG.has(keyword) && typeof params.limit === "number") {
      this.note(place, messageOf(error));
      this.#keep(value, (_, at) => at < params.limit);
      return true;
    }
    if (Array.isArray(value) && keyword === "uniqueItems") {
      this.note(place, messageOf(error));
      const seen = new Set<string>();
      this.#keep(value, (item) => seen.size < seen.add(canonical(item)).size);
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
    if (value !== null && !UNWANTED.has(keyword) && error.propertyName === undefined && !this.#nulled.has(origin)) {
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

/** Defined rather than assigned: a member may be named `__proto__`. */
function put(parent: JsonObject | Json[], step: string, value: Json): void {
  if (Array.isArray(parent)) parent[Number(step)] = value;
  else Object.defineProperty(parent, step, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Takes out of some data, which is changed, what its schema forbids: a value becomes null where that is allowed, else
 * its member or item goes. What is missing though required is named, and what stands beside it stays: a row without its
 * price is still a row. So the outcome holds nothing that is wrong, but it may lack something.
 * @returns the part with its faults, or the fault of the whole when nothing can be kept
 */
export function validPart(data: Json, validator: Validator): ValidPart | { fault: DataFault } {
  const pruner = new Pruner(data);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const errors = blame(validator.check(pruner.data), validator.schema);
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

/**
 * Fills missing values from data given beside a document; values of the document stay. A given value goes to the same
 * path of the schema, or to the only field of its name if it is the only value of that name. Values that do not fit the
 * field's type are ignored. Pure.
 */
import { isObject, type Json, type JsonObject, own, setOwn } from "../../../ports/json.ts";
import { pointTo, stepsOf } from "../../schema/json-pointer.ts";
import type { ParsedSchema } from "../../schema/parsed-schema.ts";
import type { Field } from "../../schema/schema-shape.ts";

type Scalar = string | number | boolean;

/** Limits for given data, which may be any node's result. */
const MAX_DATA_DEPTH = 16;
const MAX_GIVEN_VALUES = 10_000;

interface GivenValue {
  pointer: string;
  name: string;
  value: Scalar;
}

/** Scalars outside of lists. */
function* valuesIn(value: JsonObject, pointer = "", depth = 0): Generator<GivenValue> {
  if (depth > MAX_DATA_DEPTH) return;
  for (const [name, member] of Object.entries(value)) {
    const at = pointTo(pointer, name);
    if (isObject(member)) yield* valuesIn(member, at, depth + 1);
    else if (member !== null && typeof member !== "object") yield { pointer: at, name, value: member };
  }
}

function fits({ type, choices, minimum, maximum, minLength, maxLength }: Field, value: Scalar): boolean {
  if (choices !== null) return choices.includes(value);
  if (type === "integer") return Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
  if (typeof value !== type) return false;
  if (typeof value === "number") return value >= minimum && value <= maximum;
  return typeof value === "boolean" || (value.trim() !== "" && value.length >= minLength && value.length <= maxLength);
}

/** Items by name; undefined when several share a name. */
function byName<T>(items: Iterable<T>, nameOf: (item: T) => string): Map<string, T | undefined> {
  const named = new Map<string, T | undefined>();
  for (const item of items) named.set(nameOf(item), named.has(nameOf(item)) ? undefined : item);
  return named;
}

/** The object that holds a pointer's null value, with the member's name. */
function holderOf(result: Json, pointer: string): { holder: JsonObject; name: string } | undefined {
  const names = stepsOf(pointer);
  const name = names.pop();
  let at: Json | undefined = result;
  for (const step of names) at = isObject(at) ? own(at, step) : undefined;
  return name !== undefined && isObject(at) && at[name] === null ? { holder: at, name } : undefined;
}

/**
 * Fills null leaves of a result from given data, in place.
 * @returns JSON Pointers of the filled leaves, each with the pointer of its given value
 */
export function fillGiven(result: Json, { fields }: ParsedSchema, given: Json): [to: string, from: string][] {
  if (!isObject(given)) return [];
  const values = [...valuesIn(given).take(MAX_GIVEN_VALUES)];
  const byPointer = new Map(values.map((value) => [value.pointer, value]));
  const named = byName(values, ({ name }) => name);
  const single = byName(fields, ([, { name }]) => name);
  const filled: [string, string][] = [];
  for (const [pointer, field] of fields) {
    const place = holderOf(result, pointer);
    const alone = single.get(field.name) === undefined ? undefined : named.get(field.name);
    const found = byPointer.get(pointer) ?? alone;
    if (place === undefined || found === undefined || !fits(field, found.value)) continue;
    setOwn(place.holder, place.name, found.value);
    filled.push([pointer, found.pointer]);
  }
  return filled;
}

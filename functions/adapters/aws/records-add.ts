import type { RecordValue } from "../../ports/records.ts";
import { type AddWrite, valueAfter } from "../records-add.ts";
import { bytesOf, encodeValue, MAX_ITEM_BYTES } from "../records-limits.ts";
import type { SeenRecord } from "./records-items.ts";

/** The number to add, and the bounds of the member before the add, inclusive. */
export interface Increment {
  amount: number;
  low: number;
  high: number;
}

/** Knowledge of a record before a write: unread, or the result of a read. */
export type Sight = "unseen" | { seen: SeenRecord | undefined };

export type AddPlan =
  | { kind: "look" }
  | { kind: "fails" }
  | { kind: "increment"; increments: ReadonlyMap<string, Increment> }
  | {
      kind: "replace";
      seen: SeenRecord | undefined;
      json: string;
      value: RecordValue;
      numbers: ReadonlyMap<string, number>;
    };

/** Expressions are limited to 4 KB; a name takes about 60 bytes. */
const MAX_INCREMENTS = 40;
/** DynamoDB's limit for the name of an attribute in an expression, in bytes. */
const MAX_NAME_BYTES = 255;
/** Bytes of an entry of `numbers` besides its name: 11 for itself, and room for its digits in the JSON of the value. */
const NUMBER_ENTRY_BYTES = 11 + 17;

/** Plain objects of the SDK cannot hold __proto__, and DynamoDB takes no empty name. */
const canStandInNumbers = (name: string, number: unknown): number is number =>
  Number.isSafeInteger(number) && name !== "" && name !== "__proto__" && bytesOf(name) <= MAX_NAME_BYTES;

/**
 * @returns undefined when DynamoDB's arithmetic could differ from JavaScript's, or the increments exceed an expression
 */
function incrementsOf({ amounts, floors }: AddWrite): ReadonlyMap<string, Increment> | undefined {
  const increments = new Map<string, Increment>();
  for (const name of new Set([...amounts.keys(), ...floors.keys()])) {
    const amount = amounts.get(name) ?? 0;
    if (!canStandInNumbers(name, amount)) return undefined;
    const floor = Math.ceil(Math.max(floors.get(name) ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER));
    const low = Math.max(floor - amount, Number.MIN_SAFE_INTEGER);
    const high = Math.min(Number.MAX_SAFE_INTEGER - amount, Number.MAX_SAFE_INTEGER);
    if (floor > Number.MAX_SAFE_INTEGER || low > high) return undefined;
    increments.set(name, { amount, low, high });
  }
  return increments.size > MAX_INCREMENTS ? undefined : increments;
}

/** Members that can be incremented from now on; none when the item has no room for them beside its value. */
function numbersAfter(write: AddWrite, seen: SeenRecord | undefined, value: RecordValue, json: string) {
  const numbers = new Map<string, number>();
  let bytes = bytesOf(write.key.partition) + bytesOf(write.key.sort) + bytesOf(json);
  for (const name of new Set([...(seen?.numbers.keys() ?? []), ...write.amounts.keys(), ...write.floors.keys()])) {
    const number = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!canStandInNumbers(name, number)) continue;
    numbers.set(name, number);
    bytes += bytesOf(name) + NUMBER_ENTRY_BYTES;
  }
  return bytes > MAX_ITEM_BYTES ? new Map<string, number>() : numbers;
}

/** @throws StoreLimitExceeded when a member is not a number, or the value would be too large or not JSON */
export function planAdd(write: AddWrite, sight: Sight): AddPlan {
  const increments = incrementsOf(write);
  if (sight === "unseen") return increments === undefined ? { kind: "look" } : { kind: "increment", increments };
  const { seen } = sight;
  const value = valueAfter(seen?.record.value, write);
  if (value === undefined) return { kind: "fails" };
  const json = encodeValue(write.key, value);
  const fits = ([name, { low, high }]: [string, Increment]) => {
    const number = seen?.numbers.get(name) ?? Number.NaN;
    return number >= low && number <= high;
  };
  if (seen !== undefined && increments !== undefined && [...increments].every(fits)) {
    return { kind: "increment", increments };
  }
  return { kind: "replace", seen, json, value, numbers: numbersAfter(write, seen, value, json) };
}

/** The arithmetic of `add`, shared by every driver. */
import { StoreLimitExceeded } from "../ports/errors.ts";
import type { RecordValue } from "../ports/records.ts";
import type { Write } from "./records-limits.ts";

export type AddWrite = Write & { kind: "add" };

/** A numeric top-level member; an absent one counts as 0. */
function numberIn(value: RecordValue, name: string): number {
  const member = Object.hasOwn(value, name) ? value[name] : 0;
  if (typeof member !== "number") throw new StoreLimitExceeded("An amount can be added to a number only");
  return member;
}

/**
 * @param before undefined when there is no record
 * @returns the value after the add: old members in their order, then new ones; undefined when it would be below a floor
 * @throws StoreLimitExceeded when a named member exists and is not a number
 */
export function valueAfter(before: RecordValue | undefined, { amounts, floors }: AddWrite): RecordValue | undefined {
  const base: RecordValue = before ?? { v: 1 };
  const sums = [...amounts].map(([name, amount]) => [name, numberIn(base, name) + amount] as const);
  // fromEntries creates own members for every name, also __proto__.
  const value: RecordValue = { ...base, ...Object.fromEntries(sums) };
  for (const [name, floor] of floors) if (numberIn(value, name) < floor) return undefined;
  return value;
}

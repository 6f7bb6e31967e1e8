/** Checks of values that need no look at the page: one rule applied to the values it is about. */

import type { Meaning } from "../extraction/rules/field-meaning.ts";
import type { Leaf } from "../schema/result-leaves.ts";

/**
 * `checksum`: check digits; `arithmetic`: sums of amounts; `order`: order of dates; `format`: form of a kind of value;
 * `schema`: the user's schema; `column`: common traits of a list column.
 */
export type CheckKind = "checksum" | "arithmetic" | "order" | "format" | "schema" | "column";

/** One of the values that a check compares, in all fields that state it. */
export interface CheckSide {
  value: number | string;
  pointers: readonly string[];
}

export interface Check {
  /** Short and stable: `iban`, `net-plus-tax` … */
  name: string;
  kind: CheckKind;
  ok: boolean;
  /** JSON Pointers of the checked values. */
  pointers: string[];
  /** Each value of a check over several values; of a failed one, those that may be wrong. */
  sides?: readonly CheckSide[];
  /** A sentence about the contradiction; empty if the check passes. */
  message: string;
}

/** A leaf with the meaning of its field. */
export interface KnownLeaf {
  leaf: Leaf;
  meaning: Meaning;
}

const MAX_QUOTE_CHARACTERS = 60;

/** A value as messages quote it. */
export function quoteValue(value: string | number | boolean): string {
  const text = String(value).replace(/\s+/g, " ");
  return typeof value === "string"
    ? `"${text.length > MAX_QUOTE_CHARACTERS ? `${text.slice(0, MAX_QUOTE_CHARACTERS)}…` : text}"`
    : text;
}

export const passedCheck = (name: string, kind: CheckKind, pointers: string[]): Check => ({
  name,
  kind,
  ok: true,
  pointers,
  message: "",
});

export const failedCheck = (name: string, kind: CheckKind, pointers: string[], message: string): Check => ({
  name,
  kind,
  ok: false,
  pointers,
  message,
});

/** An amount as messages write it. */
export const formatAmount = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** A check over several values. @param message the contradiction; empty if there is none */
export const checkBetween = (name: string, kind: CheckKind, sides: readonly CheckSide[], message: string): Check => ({
  name,
  kind,
  ok: message === "",
  pointers: sides.flatMap(({ pointers }) => pointers),
  sides,
  message,
});

/** What can be said about values without looking at the page: one rule held against the values that it is about. */

import type { Meaning } from "../extraction/rules/field-meaning.ts";
import type { Leaf } from "../schema/result-leaves.ts";

/**
 * `checksum`: check digits; `arithmetic`: amounts that add up; `order`: dates in their order; `format`: the form of a
 * kind of value; `schema`: what the user's schema asks; `column`: what the other rows have in common.
 */
export type CheckKind = "checksum" | "arithmetic" | "order" | "format" | "schema" | "column";

/** One of the values that a check holds against each other, in all fields that say it. */
export interface CheckSide {
  value: number | string;
  pointers: readonly string[];
}

export interface Check {
  /** Short and stable: `iban`, `net-plus-tax` … */
  name: string;
  kind: CheckKind;
  ok: boolean;
  /** The values that it is about, as JSON Pointers. */
  pointers: string[];
  /** Of a check over several values: each of them; of one that fails, those that may be wrong. */
  sides?: readonly CheckSide[];
  /** A sentence that says what does not fit; empty where it does. */
  message: string;
}

/** A value with what its field is about. */
export interface KnownLeaf {
  leaf: Leaf;
  meaning: Meaning;
}

const MAX_QUOTE_CHARACTERS = 60;

/** A value as a sentence quotes it. */
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

/** A sum of money as a sentence writes it. */
export const formatAmount = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** A check over several values. @param message what does not fit; empty where all does */
export const checkBetween = (name: string, kind: CheckKind, sides: readonly CheckSide[], message: string): Check => ({
  name,
  kind,
  ok: message === "",
  pointers: sides.flatMap(({ pointers }) => pointers),
  sides,
  message,
});

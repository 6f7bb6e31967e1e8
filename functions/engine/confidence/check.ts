/** What can be said about values without looking at the page: one rule held against the values that it is about. */

import type { Meaning } from "../extraction/rules/field-meaning.ts";
import type { Leaf } from "../schema/result-leaves.ts";

/**
 * `checksum`: check digits; `arithmetic`: amounts that add up; `order`: dates in their order; `format`: the form of a
 * kind of value; `schema`: what the user's schema asks; `column`: what the other rows have in common.
 */
export type CheckKind = "checksum" | "arithmetic" | "order" | "format" | "schema" | "column";

/** One of the values that a check holds against each other, in all fields that say it. */
export interface Side {
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
  sides?: readonly Side[];
  /** A sentence that says what does not fit; empty where it does. */
  message: string;
}

/** A value with what its field is about. */
export interface Known {
  leaf: Leaf;
  meaning: Meaning;
}

const LONGEST_QUOTE = 60;

/** A value as a sentence quotes it. */
export function quote(value: string | number | boolean): string {
  const text = String(value).replace(/\s+/g, " ");
  return typeof value === "string"
    ? `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}"`
    : text;
}

export const passed = (name: string, kind: CheckKind, pointers: string[]): Check => ({
  name,
  kind,
  ok: true,
  pointers,
  message: "",
});

export const failed = (name: string, kind: CheckKind, pointers: string[], message: string): Check => ({
  name,
  kind,
  ok: false,
  pointers,
  message,
});

/** A sum of money as a sentence writes it. */
export const money = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** A check over several values. @param message what does not fit; empty where all does */
export const between = (name: string, kind: CheckKind, sides: readonly Side[], message: string): Check => ({
  name,
  kind,
  ok: message === "",
  pointers: sides.flatMap(({ pointers }) => pointers),
  sides,
  message,
});

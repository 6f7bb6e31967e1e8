import type { Json } from "../../ports/json.ts";
import { type Meaning, meaningOf } from "../extraction/rules/field-meaning.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import { readSchema } from "../schema/schema-shape.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { checkAmounts } from "./amount-checks.ts";
import type { Check, KnownLeaf } from "./check.ts";
import { checkColumns } from "./column-checks.ts";
import { checkDateOrder } from "./date-order-checks.ts";
import { checkSchema } from "./schema-checks.ts";
import { checkValue } from "./value-checks.ts";

/** Leaves with what their fields are about, which is worked out once for each path. */
export function knownLeaves(leaves: readonly Leaf[]): KnownLeaf[] {
  const meanings = new Map<string, Meaning>();
  return leaves.map((leaf) => {
    const key = `${typeof leaf.value} ${leaf.path}`;
    let meaning = meanings.get(key);
    if (meaning === undefined) {
      meaning = meaningOf(leaf.field);
      meanings.set(key, meaning);
    }
    return { leaf, meaning };
  });
}

/** The words that the value at a pointer was read from, by reference; none for what stands nowhere. */
export type WordsOf = (pointer: string) => readonly string[];

const NO_WORDS = ["nowhere"];

/** Does a check hold between values that were read from the same words? That they are the same is no wonder then. */
function isSelfConfirming({ ok, sides }: Check, wordsOf: WordsOf): boolean {
  if (!ok || sides === undefined) return false;
  const readings = new Map<string, number>();
  for (const [side, { value, pointers }] of sides.entries()) {
    for (const pointer of pointers) {
      const words = wordsOf(pointer);
      for (const word of words.length === 0 ? NO_WORDS : words) {
        // One word may hold two values, `2x50.00`: only what is the same value in the same word is one reading.
        const other = readings.get(`${word} ${value}`) ?? side;
        if (other !== side) return true;
        readings.set(`${word} ${value}`, side);
      }
    }
  }
  return false;
}

/** The checks whose values were read one by one. */
export const withoutSelfConfirming = (checks: readonly Check[], wordsOf: WordsOf): Check[] =>
  checks.filter((check) => !isSelfConfirming(check, wordsOf));

/** Every check that the values take part in. */
export const checkLeaves = (known: readonly KnownLeaf[], { notation, order }: FormatConventions): Check[] => [
  ...known.flatMap((one) => checkValue(one, order)),
  ...checkSchema(known),
  ...checkAmounts(known, notation),
  ...checkDateOrder(known, order),
  ...checkColumns(known, notation),
];

/**
 * Checks a result against itself and its schema: check digits, sums, dates, forms, columns. Pure; never throws.
 * @param without pointers of values that were worked out from others, and so prove nothing
 * @returns all checks, passed and failed, with the pointers that they are about
 */
export function checkResult(
  data: Json,
  schema: Json | undefined,
  written: FormatConventions,
  without: ReadonlySet<string>,
): Check[] {
  const shape = schema === undefined ? null : readSchema(schema);
  return checkLeaves(knownLeaves(leavesOf(data, shape, without).values), written);
}

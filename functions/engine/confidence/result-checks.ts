/** All checks of a result that need no page: consistency within the result. */
import type { Json } from "../../ports/json.ts";
import { type Meaning, meaningOf } from "../extraction/rules/field-meaning.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { type Leaf, leavesOf } from "../schema/result-leaves.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import { checkAmounts } from "./amount-checks.ts";
import type { Check, CheckSide, KnownLeaf } from "./check.ts";
import { checkColumns } from "./column-checks.ts";
import { checkDateOrder } from "./date-order-checks.ts";
import type { LabelEvidence } from "./label-evidence.ts";
import { checkSchema } from "./schema-checks.ts";
import { checkValue } from "./value-checks.ts";

/** Leaves with the meanings of their fields, determined once for each path. */
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

/** References of the words that the value at a pointer was read from; none if it was not located. */
export type WordsOf = (pointer: string) => readonly string[];

const NO_WORDS = ["nowhere"];

/** The check passes between values read from the same words: their equality proves nothing. */
function isSelfConfirming({ ok, sides }: Check, wordsOf: WordsOf): boolean {
  if (!ok || sides === undefined) return false;
  const readings = new Map<string, number>();
  for (const [side, { value, pointers }] of sides.entries()) {
    for (const pointer of pointers) {
      const words = wordsOf(pointer);
      for (const word of words.length === 0 ? NO_WORDS : words) {
        // One word may hold two values, `2x50.00`: only the same value in the same word is one reading.
        const other = readings.get(`${word} ${value}`) ?? side;
        if (other !== side) return true;
        readings.set(`${word} ${value}`, side);
      }
    }
  }
  return false;
}

/** Checks between independent readings. */
export const withoutSelfConfirming = (checks: readonly Check[], wordsOf: WordsOf): Check[] =>
  checks.filter((check) => !isSelfConfirming(check, wordsOf));

/** Support of a label from which a number is called what its field asks for. */
const MIN_LABEL_SUPPORT = 0.5;

/**
 * Sums that prove something: at least two of their numbers have labels of their own, and none has a label of another
 * field. Three numbers of a page often add up by chance. Failed checks stay.
 */
export const labelledProofs = (checks: readonly Check[], labels: ReadonlyMap<string, LabelEvidence>): Check[] =>
  checks.filter(({ ok, kind, sides }) => {
    if (!ok || kind !== "arithmetic" || sides === undefined) return true;
    const best = sides.map(({ pointers }) =>
      pointers.reduce((most, pointer) => Math.max(most, labels.get(pointer)?.own ?? 0), 0),
    );
    const isOther = ({ pointers }: CheckSide): boolean =>
      pointers.every(
        (pointer) => (labels.get(pointer)?.other ?? 0) > Math.max(labels.get(pointer)?.own ?? 0, MIN_LABEL_SUPPORT),
      );
    return best.filter((own) => own >= MIN_LABEL_SUPPORT).length >= 2 && !sides.some(isOther);
  });

/** All checks of the values. */
export const checkLeaves = (known: readonly KnownLeaf[], { notation, order }: FormatConventions): Check[] => [
  ...known.flatMap((one) => checkValue(one, order)),
  ...checkSchema(known),
  ...checkAmounts(known, notation),
  ...checkDateOrder(known, order),
  ...checkColumns(known, notation),
];

/**
 * Checks a result against itself and its schema: check digits, sums, dates, forms, columns. Pure; never throws.
 * @param without pointers of values computed from others, which prove nothing
 * @returns all checks, passed and failed
 */
export function checkResult(
  data: Json,
  schema: ParsedSchema | undefined,
  written: FormatConventions,
  without: ReadonlySet<string>,
): Check[] {
  return checkLeaves(knownLeaves(leavesOf(data, schema?.shape ?? null, without).values), written);
}

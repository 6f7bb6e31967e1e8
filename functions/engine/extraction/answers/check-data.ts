/** A model's data held against its schema, and a second answer against the first. */

import type { Json } from "../../../ports/json.ts";
import { type DataFault, messageOf, placeOf } from "../../schema/data-faults.ts";
import { valueAt } from "../../schema/json-pointer.ts";
import { normalizeData } from "../../schema/normalize-data.ts";
import type { ParsedSchema } from "../../schema/parsed-schema.ts";
import { primaryErrors } from "../../schema/primary-errors.ts";
import { compileSchema } from "../../schema/validator.ts";
import type { TextConventions } from "../../values/text-conventions.ts";

/** Data, and what is wrong with it. */
export interface CheckedData {
  /** UTF-8 JSON. */
  data: Uint8Array;
  /** The first of them. */
  faults: DataFault[];
  faultCount: number;
  /** The values that the faults are about, as JSON text. */
  values: string;
}

/** The same before it is written. */
export type Checked = Omit<CheckedData, "data"> & { data: Json };

/** Faults that are listed: a record holds them, and a model reads them. */
export const MAX_LISTED_FAULTS = 100;
const MAX_VALUES_CHARACTERS = 50_000;

/** Leaves that say something. */
function countValues(data: Json): number {
  if (data === null || data === "") return 0;
  return typeof data === "object" ? Object.values(data).reduce((sum: number, one) => sum + countValues(one), 0) : 1;
}

/** Data that fits is left as it is; other data is brought into the schema's shape and checked again. */
export function checkData(data: Json, schema: ParsedSchema, conventions: TextConventions): Checked {
  const validator = compileSchema(schema.json);
  if (validator.check(data).length === 0) return { data, faults: [], faultCount: 0, values: "[]" };
  const normal = normalizeData(data, schema, conventions);
  const errors = primaryErrors(validator.check(normal), validator.schema);
  const faults = errors
    .slice(0, MAX_LISTED_FAULTS)
    .map((error) => ({ pointer: placeOf(error), message: messageOf(error) }));
  const values = faults.map(({ pointer }) => ({ pointer, value: valueAt(normal, pointer) ?? null }));
  return {
    data: normal,
    faults,
    faultCount: errors.length,
    values: JSON.stringify(values).slice(0, MAX_VALUES_CHARACTERS),
  };
}

/**
 * True when a second answer is better than the first. One that gives up values that nobody found fault with would fit its
 * schema all the more easily.
 */
export function isBetter(
  again: Checked,
  data: Json,
  { faultCount, ofWhole }: { faultCount: number; ofWhole: boolean },
): boolean {
  if (again.faultCount > faultCount) return false;
  return ofWhole || countValues(again.data) + faultCount >= countValues(data);
}

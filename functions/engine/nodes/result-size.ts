/** Size limits of nodes' inputs and results: a step holds them in memory, beside those of other runs. */

import { JobFailure } from "../../ports/errors.ts";
import { encodeJson, isObject, type Json } from "../../ports/json.ts";
/** UTF-8 JSON. */
export const MAX_RESULT_BYTES = 10_000_000;

export const describeJsonBytes = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes of JSON`;

/** @param what part of the node that is too large @throws JobFailure */
export const refuseSize = (node: string, what: "result" | "input"): never => {
  const rule = `has more than ${describeJsonBytes(MAX_RESULT_BYTES)}`;
  throw new JobFailure(`Processing failed: The ${what} of the node "${node}" ${rule}; let it take only what is needed`);
};

/**
 * A value's JSON certainly has more than so many bytes. Counts characters without serializing: an object that is small in
 * memory can occur many times in a value.
 */
export function isLarger(value: Json, maxBytes: number): boolean {
  let left = maxBytes;
  const waiting: Json[] = [value];
  for (let one = waiting.pop(); one !== undefined && left >= 0; one = waiting.pop()) {
    left -= typeof one === "string" ? one.length + 2 : 1;
    if (Array.isArray(one)) for (const item of one) waiting.push(item);
    else if (isObject(one)) {
      for (const [name, member] of Object.entries(one)) {
        left -= name.length + 3;
        waiting.push(member);
      }
    }
  }
  return left < 0;
}

/** A value holds more than so many values of any kind; each counts as often as it occurs. */
export function hasMoreValues(value: Json, maxValues: number): boolean {
  const waiting: Json[] = [value];
  let left = maxValues;
  for (let one = waiting.pop(); one !== undefined && left >= 0; one = waiting.pop()) {
    left -= 1;
    if (Array.isArray(one)) for (const item of one) waiting.push(item);
    else if (isObject(one)) for (const member of Object.values(one)) waiting.push(member);
  }
  return left < 0;
}

/** Checks the data that a node is given besides its source. @throws JobFailure above the limit of a result */
export function checkedInput(node: string, value: Json): Json {
  return isLarger(value, MAX_RESULT_BYTES) ? refuseSize(node, "input") : value;
}

/** A result as UTF-8 JSON. @throws JobFailure for one that is too large */
export function writeResult(node: string, result: Json): Uint8Array {
  if (isLarger(result, MAX_RESULT_BYTES)) return refuseSize(node, "result");
  const bytes = encodeJson(result);
  checkSize(node, bytes);
  return bytes;
}

/** @throws JobFailure for a written result that is too large */
export function checkSize(node: string, written: Uint8Array): void {
  if (written.length > MAX_RESULT_BYTES) refuseSize(node, "result");
}

/** How large what nodes give and take may be: all of it is in memory while a step makes it, and beside other runs'. */

import { JobFailure } from "../../ports/errors.ts";
import { encodeJson, isObject, type Json } from "../../ports/json.ts";
/** Bytes of JSON. */
export const MOST_RESULT_BYTES = 10_000_000;
export const shown = (bytes: number): string => `${bytes.toLocaleString("en-US")} bytes of JSON`;

/** @param what of the node, such as its result @throws JobFailure */
export const refuseSize = (node: string, what: "result" | "input"): never => {
  const rule = `has more than ${shown(MOST_RESULT_BYTES)}`;
  throw new JobFailure(`Processing failed: The ${what} of the node "${node}" ${rule}; let it take only what is needed`);
};

/**
 * Whether a value's JSON has certainly more than so many bytes: counted in characters, without writing it, for what is
 * small in memory can be named many times in a value.
 */
export function isLarger(value: Json, most: number): boolean {
  let left = most;
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

/** Whether there are more than so many values in one, whatever they are; each as often as it is named. */
export function hasMoreValues(value: Json, most: number): boolean {
  const waiting: Json[] = [value];
  let left = most;
  for (let one = waiting.pop(); one !== undefined && left >= 0; one = waiting.pop()) {
    left -= 1;
    if (Array.isArray(one)) for (const item of one) waiting.push(item);
    else if (isObject(one)) for (const member of Object.values(one)) waiting.push(member);
  }
  return left < 0;
}

/** What a node is given besides its source. @throws JobFailure for more than a result may have */
export function checkedInput(node: string, value: Json): Json {
  return isLarger(value, MOST_RESULT_BYTES) ? refuseSize(node, "input") : value;
}

/** A result as UTF-8 JSON. @throws JobFailure for one that is too large */
export function writeResult(node: string, result: Json): Uint8Array {
  if (isLarger(result, MOST_RESULT_BYTES)) return refuseSize(node, "result");
  const bytes = encodeJson(result);
  checkSize(node, bytes);
  return bytes;
}

/** @throws JobFailure for a written result that is too large */
export function checkSize(node: string, written: Uint8Array): void {
  if (written.length > MOST_RESULT_BYTES) refuseSize(node, "result");
}

/** JSON Pointers (RFC 6901). */
import { isObject, type Json, own } from "../../ports/json.ts";

/** Escapes one member name. */
export const escapeStep = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Reverses `escapeStep`. */
export const unescapeStep = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

/** A pointer one step further. */
export const pointTo = (pointer: string, step: string | number): string => `${pointer}/${escapeStep(String(step))}`;

/** The value at a pointer; undefined where there is none. */
export function valueAt(data: Json, pointer: string): Json | undefined {
  let value: Json | undefined = data;
  for (const step of stepsOf(pointer)) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? own(value, step) : undefined;
  }
  return value;
}

/** The pointer of some steps. */
export const pointerOf = (steps: readonly (string | number)[]): string =>
  steps.map((step) => `/${escapeStep(String(step))}`).join("");

/** The steps of a pointer; none of the pointer to the whole. */
export const stepsOf = (pointer: string): string[] =>
  pointer === "" ? [] : pointer.slice(1).split("/").map(unescapeStep);

/** Safe access to untrusted server data. */
import { isObject } from "../../ports/json.ts";

/** A member of a value that may not be an object. */
export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** @returns undefined for invalid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Looking into what a server sent, of which nothing is sure. */
import { isObject } from "../../ports/json.ts";

/** A member of something that may be no object. */
export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** @returns undefined when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Safe access to untrusted server data. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of a value that may not be an object. */
export const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

export const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** @returns undefined for invalid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON: its types, its objects, and JSON as UTF-8 bytes. */

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

/** Arrays and null are no objects. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A member of the object itself; members named like methods of every object, such as `constructor`, are no exception. */
export const own = (object: JsonObject, member: string): Json | undefined =>
  Object.hasOwn(object, member) ? object[member] : undefined;

/** Sets a member of the object itself: a plain assignment to `__proto__` would set the prototype. */
export const setOwn = (object: JsonObject, member: string, value: Json): void => {
  Object.defineProperty(object, member, { value, writable: true, enumerable: true, configurable: true });
};

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Parses UTF-8 JSON that this program wrote. @throws SyntaxError */
export const parseJsonBytes = <T = Json>(bytes: Uint8Array): T => JSON.parse(decoder.decode(bytes)) as T;

/** Writes a value as UTF-8 JSON. */
export const encodeJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

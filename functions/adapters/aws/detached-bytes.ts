/** Stores the bytes of a payload as files beside it, because an invocation takes at most 6 MB of JSON. */
import type { Blobs } from "../../ports/blobs.ts";
import type { Json } from "../../ports/json.ts";

/** Prefix of temporary blobs; the bucket's rule removes files that a crash leaves. */
export const TEMPORARY_PREFIX = "tmp/";

/** Replaces the bytes of a file in the JSON. */
const BYTES_MEMBER = "$bytes";

/** A payload without its bytes, and the keys of the files that hold them. */
export interface Detached {
  json: Json;
  keys: string[];
}

const isMark = (value: object): value is { [BYTES_MEMBER]: string } =>
  BYTES_MEMBER in value && typeof value[BYTES_MEMBER] === "string" && value[BYTES_MEMBER].startsWith(TEMPORARY_PREFIX);

/**
 * Stores every Uint8Array of a plain value in a file `{prefix}-{n}`.
 * @throws TypeError for a prefix outside the temporary files
 */
export async function detachBytes(value: unknown, blobs: Pick<Blobs, "put">, prefix: string): Promise<Detached> {
  if (!prefix.startsWith(TEMPORARY_PREFIX)) throw new TypeError(`${prefix} is no temporary file`);
  const keys: string[] = [];
  async function detach(part: unknown): Promise<Json> {
    if (part instanceof Uint8Array) {
      const key = `${prefix}-${keys.length}`;
      keys.push(key);
      await blobs.put(key, part);
      return { [BYTES_MEMBER]: key };
    }
    if (Array.isArray(part)) return Promise.all(part.map(detach));
    if (typeof part !== "object" || part === null) return part as Json;
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(part)) {
      if (member !== undefined) members.push([name, await detach(member)]);
    }
    return Object.fromEntries(members);
  }
  return { json: await detach(value), keys };
}

/** Puts the bytes back into a value. @param missing creates the error for a missing file */
export async function attachBytes(json: Json, blobs: Pick<Blobs, "get">, missing: () => Error): Promise<unknown> {
  if (Array.isArray(json)) return Promise.all(json.map((part) => attachBytes(part, blobs, missing)));
  if (typeof json !== "object" || json === null) return json;
  if (isMark(json)) {
    const bytes = await blobs.get(json[BYTES_MEMBER]);
    if (bytes === undefined) throw missing();
    return bytes;
  }
  const members = Object.entries(json).map(
    async ([name, member]) => [name, await attachBytes(member, blobs, missing)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

/** Keys of the files that hold a value's bytes. */
export function detachedKeys(json: Json): string[] {
  if (typeof json !== "object" || json === null) return [];
  if (!Array.isArray(json) && isMark(json)) return [json[BYTES_MEMBER]];
  return Object.values(json).flatMap(detachedKeys);
}

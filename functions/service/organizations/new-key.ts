/** Makes a new API key, and the record of it. */
import { createSecretKey, randomInt } from "node:crypto";
import { BadRequest, Forbidden } from "../../ports/errors.ts";
import { isPast, type KeyRecord, keyHash, type Scope } from "./key-records.ts";

export interface KeyWish {
  /** Absent: as the replaced key. */
  name?: string | undefined;
  scopes?: readonly Scope[] | undefined;
  /** ISO 8601. */
  expiresAt?: string | undefined;
  /** The id of a key that this one replaces. */
  replaces?: string | undefined;
  /** Hours that the replaced key goes on working. */
  overlapHours?: number | undefined;
}

/** Makes the stored hash of a key, in hexadecimal digits. */
export type HashKey = (key: string) => Promise<string>;

/** Hashes keys as authentication does. @param serverKey the server key, the same at every start */
export const hashUnder =
  (serverKey: () => Promise<Uint8Array>): HashKey =>
  async (key) =>
    keyHash(createSecretKey(await serverKey()), key).toString("hex");

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** Characters out of 62: an id is unique for all practical numbers of keys, and a secret of 238 bits is not guessed. */
const ID_CHARACTERS = 16;
const SECRET_CHARACTERS = 40;

const randomText = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/**
 * @param facts `replaced`: name and scopes that the wish leaves out are its; `giver`: scopes of the caller
 * @throws BadRequest for an end that is past, and a wish without name or scopes; Forbidden for a scope the giver lacks
 */
export async function makeKey(
  { name, scopes, expiresAt }: KeyWish,
  facts: { organizationId: number; now: number; hash: HashKey; replaced?: KeyRecord; giver?: readonly Scope[] },
): Promise<{ record: KeyRecord; id: string; key: string }> {
  const { organizationId, now, replaced, giver } = facts;
  if (isPast(expiresAt, now)) throw new BadRequest("expiresAt must be a time to come");
  const ownName = name ?? replaced?.name;
  const given = scopes ?? replaced?.scopes;
  if (ownName === undefined || given === undefined) {
    throw new BadRequest("name and scopes are needed, unless 'replaces' names a key to take them from");
  }
  const missing = giver && given.find((scope) => !giver.includes(scope));
  if (missing !== undefined) {
    throw new Forbidden(`This API key lacks the scope '${missing}', and gives a new key no more than it has`);
  }
  const id = randomText(ID_CHARACTERS);
  const key = `sheaf_${organizationId}_${id}_${randomText(SECRET_CHARACTERS)}`;
  const record: KeyRecord = {
    v: 1,
    organizationId,
    hash: await facts.hash(key),
    name: ownName,
    scopes: [...new Set(given)],
    managedBy: "api",
    createdAt: new Date(now).toISOString(),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
  return { record, id, key };
}

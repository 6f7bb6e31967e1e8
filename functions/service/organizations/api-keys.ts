/**
 * API keys: stored as HMAC-SHA-256 under a server key, found by id, compared in constant time. Issued keys have the
 * form `sheaf_{organization}_{id}_{secret}`; keys of the environment may have any form.
 */
import { createSecretKey, type KeyObject, hash as plainHash, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import { Unauthorized } from "../../ports/errors.ts";
import { queryAll } from "../../ports/records.ts";
import { isPast, KEYS_PARTITION, type KeyRecord, keyEntry, keyHash, keyRecordKey, type Scope } from "./key-records.ts";
import { KeyUses } from "./key-uses.ts";
import { recordOrganizations } from "./known-organizations.ts";
import type { SystemRecords } from "./organization-records.ts";

export { SCOPES, type Scope } from "./key-records.ts";

/** The authenticated caller; the key determines the organization. */
export interface Caller {
  organizationId: number;
  keyId: string;
  scopes: readonly Scope[];
}

/** A configured key. */
export interface NamedKey {
  organizationId: number;
  key: string;
  scopes: readonly Scope[];
}

/** A request with a key that is unknown, revoked or expired. */
export class RefusedKey extends Unauthorized {
  static override readonly name = "RefusedKey";
}

const ISSUED_KEY_PATTERN = /^sheaf_\d{1,15}_([A-Za-z0-9]{8,64})_[A-Za-z0-9-]{16,}$/;
const HEADER_HINT = "Send the header 'Authorization: Bearer <API key>'";

/**
 * Milliseconds that a key which was found right is remembered: a client that polls is checked once, and a key that is
 * revoked or changed is refused everywhere within them. A wrong key is not remembered.
 */
export const KEY_MEMORY_MS = 1_000;
/** Most remembered keys, of about 500 bytes each. */
const MAX_REMEMBERED_KEYS = 1_000;

/** A key whose secret was found right. */
interface CheckedKey {
  id: string;
  record: KeyRecord;
  /** Milliseconds since 1970. */
  until: number;
}

/** Finds, checks and keeps API keys. */
export class Keyring {
  readonly #records: SystemRecords;
  /** By the SHA-256 of the key, so that no key is held; it takes a fraction of the time of an HMAC. */
  readonly #remembered = new Map<string, CheckedKey>();
  /** Made once: preparing it costs more than an HMAC of an API key. */
  readonly #serverKey: KeyObject;
  readonly #clock: Pick<Clock, "now">;
  readonly #uses: KeyUses;

  /** @param serverKey at least 32 bytes, the same at every start */
  constructor(records: SystemRecords, serverKey: Uint8Array, clock: Pick<Clock, "now">) {
    if (serverKey.length < 32) throw new RangeError("The server key has at least 32 bytes");
    this.#records = records;
    this.#serverKey = createSecretKey(serverKey);
    this.#clock = clock;
    this.#uses = new KeyUses(records, clock);
  }

  /** Resolves when the days on which keys were used are noted. */
  noted(): Promise<void> {
    return this.#uses.noted();
  }

  /**
   * Authenticates a request.
   * @param header the value of the Authorization header
   * @throws Unauthorized for a missing or malformed header; RefusedKey for an unknown, revoked or expired key
   */
  async authenticate(header: string | undefined): Promise<Caller> {
    if (header === undefined || header.trim() === "") throw new Unauthorized(`No API key. ${HEADER_HINT}`);
    const key = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header.trim())?.[1];
    if (key === undefined) throw new Unauthorized(`Malformed Authorization header. ${HEADER_HINT}`);
    const { id, record } = await this.#check(key);
    if (record.revokedAt !== undefined) throw new RefusedKey("This API key was revoked");
    if (isPast(record.expiresAt, this.#clock.now())) throw new RefusedKey("This API key has expired");
    this.#uses.note(record.organizationId, id);
    return { organizationId: record.organizationId, keyId: id, scopes: record.scopes };
  }

  /** @throws RefusedKey for a key that is unknown, or has another secret */
  async #check(key: string): Promise<CheckedKey> {
    const name = plainHash("sha256", key, "base64");
    const now = this.#clock.now();
    const known = this.#remembered.get(name);
    // A clock that was set back makes nothing last longer.
    if (known !== undefined && now < known.until && known.until <= now + KEY_MEMORY_MS) return known;
    this.#remembered.delete(name);
    const hash = this.#hash(key);
    const id = this.#idOf(key, hash);
    const record = (await this.#records.get<KeyRecord>(keyRecordKey(id)))?.value;
    const storedHash = Buffer.from(record?.hash ?? "0".repeat(64), "hex");
    const matches = timingSafeEqual(storedHash, hash) && record !== undefined;
    if (!matches) throw new RefusedKey("Unknown API key");
    if (this.#remembered.size >= MAX_REMEMBERED_KEYS) this.#remembered.clear();
    const checked = { id, record, until: now + KEY_MEMORY_MS };
    this.#remembered.set(name, checked);
    return checked;
  }

  /** Sets the environment's keys: adds and changes them, and removes those no longer configured. */
  async replaceEnvironmentKeys(keys: readonly NamedKey[]): Promise<void> {
    const wanted = new Map<string, KeyRecord>();
    for (const { organizationId, key, scopes } of keys) {
      const hash = this.#hash(key);
      wanted.set(this.#idOf(key, hash), {
        v: 1,
        organizationId,
        hash: hash.toString("hex"),
        scopes: [...scopes],
        managedBy: "environment",
        createdAt: new Date(this.#clock.now()).toISOString(),
      });
    }
    // Organizations are recorded first, so that one with a working key is always known.
    await recordOrganizations(
      this.#records,
      keys.map(({ organizationId }) => organizationId),
    );
    for await (const { key, value } of queryAll<KeyRecord>(this.#records, { partition: KEYS_PARTITION, limit: 1000 })) {
      if (value.managedBy === "environment" && !wanted.has(key.sort)) {
        await this.#records.delete(key);
        await this.#records.delete(keyEntry(value.organizationId, key.sort));
      }
    }
    for (const [id, value] of wanted) {
      const { organizationId } = value;
      await this.#records.put(keyRecordKey(id), value);
      await this.#records.put(keyEntry(organizationId, id), { v: 1, organizationId });
    }
    this.#remembered.clear();
  }

  #hash(key: string): Buffer {
    return keyHash(this.#serverKey, key);
  }

  #idOf(key: string, hash: Buffer): string {
    return ISSUED_KEY_PATTERN.exec(key)?.[1] ?? `env-${hash.toString("hex").slice(0, 24)}`;
  }
}

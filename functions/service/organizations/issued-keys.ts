/**
 * Keys that are issued to an organization: made, listed and revoked by callers with the scope `admin`, and by the
 * operator's command line. A key is shown once, and stored as its hash.
 */
import type { Clock } from "../../ports/clock.ts";
import { ConcurrentModification, ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import { queryAll, type RecordOperation, type Records, type StoredRecord } from "../../ports/records.ts";
import {
  ENTRY_PREFIX,
  isPast,
  type KeyRecord,
  type KeyUse,
  keyEntry,
  keyRecordKey,
  keysPartition,
  type Scope,
  USE_PREFIX,
} from "./key-records.ts";
import { type HashKey, type KeyWish, makeKey } from "./new-key.ts";

/** A key as its organization sees it. */
export interface KeyView {
  id: string;
  name: string;
  scopes: Scope[];
  /** ISO 8601. */
  createdAt: string;
  expiresAt: string | null;
  /** The day, UTC. */
  lastUsedOn: string | null;
}

export interface IssuedKey extends KeyView {
  /** The key itself, which nothing shows again. */
  key: string;
}

/** Options of a change. */
export interface KeyChange {
  /** Operations of the same transaction. */
  more?: (id: string) => RecordOperation[];
}

export interface OrganizationKeys {
  /** All keys that work, or that expired in the last 30 days; oldest first. */
  list(): Promise<KeyView[]>;
  /**
   * @param giver scopes of the caller: it gives none that it lacks; absent: the operator, who may give all
   * @throws BadRequest, Forbidden, NotFound, Conflict
   */
  issue(wish: KeyWish, giver?: readonly Scope[], change?: KeyChange): Promise<IssuedKey>;
  /**
   * Revokes a key: it is refused at once by this process, and by others within KEY_MEMORY_MS.
   * @param last also the last key with the scope `admin` @throws NotFound, Conflict
   */
  revoke(id: string, options?: KeyChange & { last?: boolean }): Promise<void>;
}

/** Most keys of an organization that work: a few for each of its programs; a list stays one page. */
export const MAX_KEYS = 100;
/** Hours that a replaced key goes on working unless the caller says: time to put the new one everywhere. */
export const DEFAULT_OVERLAP_HOURS = 24;
/** Days that a key is listed, and told from an unknown one, after its end. */
const KEPT_AFTER_END_DAYS = 30;
const HOUR_MS = 3_600_000;
const MAX_ATTEMPTS = 8;
/** The name of keys of the environment. */
const ENVIRONMENT_NAME = "SHEAF_API_KEYS";

type StoredKey = StoredRecord<KeyRecord>;

const idOf = ({ key }: StoredKey): string => key.sort;
const unknownKey = (id: string): NotFound => new NotFound(`No API key ${id}`);

const viewOf = (stored: StoredKey, uses: ReadonlyMap<string, string>): KeyView => ({
  id: idOf(stored),
  name: stored.value.name ?? ENVIRONMENT_NAME,
  scopes: stored.value.scopes,
  createdAt: stored.value.createdAt,
  expiresAt: stored.value.expiresAt ?? null,
  lastUsedOn: uses.get(idOf(stored)) ?? null,
});

class Keys implements OrganizationKeys {
  readonly #records: Records;
  readonly #organizationId: number;
  readonly #clock: Pick<Clock, "now">;
  readonly #hash: HashKey;

  constructor(records: Records, organizationId: number, { clock, hash }: { clock: Pick<Clock, "now">; hash: HashKey }) {
    this.#records = records;
    this.#organizationId = organizationId;
    this.#clock = clock;
    this.#hash = hash;
  }

  async list(): Promise<KeyView[]> {
    const uses = new Map<string, string>();
    const query = { partition: keysPartition(this.#organizationId), prefix: USE_PREFIX, limit: 1000 };
    for await (const { key, value } of queryAll<KeyUse>(this.#records, query)) {
      uses.set(key.sort.slice(USE_PREFIX.length), value.day);
    }
    return (await this.#stored()).map((stored) => viewOf(stored, uses));
  }

  async issue(wish: KeyWish, giver?: readonly Scope[], { more }: KeyChange = {}): Promise<IssuedKey> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const others = await this.#stored();
      const replaced = wish.replaces === undefined ? undefined : this.#replaceable(others, wish.replaces);
      const { record, id, key } = await makeKey(wish, {
        organizationId: this.#organizationId,
        now: this.#clock.now(),
        hash: this.#hash,
        ...(replaced === undefined ? {} : { replaced: replaced.value }),
        ...(giver === undefined ? {} : { giver }),
      });
      this.#refuseFull(others);
      const ended = replaced && this.#endLater(replaced, wish.overlapHours ?? DEFAULT_OVERLAP_HOURS);
      const stays = record.scopes.includes("admin") ? [] : this.#witness(others, replaced);
      try {
        await this.#records.transact([...this.#writes(id, record), ...(ended ?? []), ...stays, ...(more?.(id) ?? [])]);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        continue;
      }
      return { ...viewOf({ key: keyRecordKey(id), value: record, version: 1 }, new Map()), key };
    }
    throw new ConcurrentModification("the keys");
  }

  async revoke(id: string, { more, last = false }: KeyChange & { last?: boolean } = {}): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const others = await this.#stored();
      const revoked = this.#issued(others, id);
      const stays = last ? [] : this.#witness(others, revoked);
      const value = { ...revoked.value, revokedAt: new Date(this.#clock.now()).toISOString() };
      try {
        await this.#records.transact([
          {
            kind: "put",
            key: revoked.key,
            value,
            condition: { ifVersion: revoked.version },
            expiresAt: this.#keptUntil(this.#clock.now()),
          },
          { kind: "delete", key: keyEntry(this.#organizationId, id) },
          ...stays,
          ...(more?.(id) ?? []),
        ]);
        return;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    throw new ConcurrentModification("the key");
  }

  /** The organization's keys that are not revoked, oldest first. */
  async #stored(): Promise<StoredKey[]> {
    const query = { partition: keysPartition(this.#organizationId), prefix: ENTRY_PREFIX, limit: 1000 };
    const reads: Promise<StoredKey | undefined>[] = [];
    for await (const { key } of queryAll(this.#records, query)) {
      reads.push(this.#records.get<KeyRecord>(keyRecordKey(key.sort.slice(ENTRY_PREFIX.length))));
    }
    const stored = await Promise.all(reads);
    const found = stored.filter(
      (one) => one?.value.organizationId === this.#organizationId && one.value.revokedAt === undefined,
    ) as StoredKey[];
    return found.sort((a, b) => (a.value.createdAt < b.value.createdAt ? -1 : 1));
  }

  /** @throws NotFound; Conflict for a key that the service's settings give */
  #issued(others: readonly StoredKey[], id: string): StoredKey {
    const found = others.find((one) => idOf(one) === id);
    if (found === undefined) throw unknownKey(id);
    if (found.value.managedBy !== "environment") return found;
    throw new Conflict(`Key ${id} is given by ${ENVIRONMENT_NAME}; the service's operator changes it there`);
  }

  /** The key that a new one replaces. @throws as `#issued`; Conflict for one that has ended */
  #replaceable(others: readonly StoredKey[], id: string): StoredKey {
    const found = this.#issued(others, id);
    if (!isPast(found.value.expiresAt, this.#clock.now())) return found;
    throw new Conflict(`Key ${id} has expired; make a new key without 'replaces'`);
  }

  #refuseFull(others: readonly StoredKey[]): void {
    const working = others.filter(({ value }) => !isPast(value.expiresAt, this.#clock.now()));
    if (working.length < MAX_KEYS) return;
    throw new Conflict(`An organization has at most ${MAX_KEYS} API keys; delete one that is no longer used`);
  }

  #keptUntil(end: number): number {
    return Math.ceil(end / 1000) + KEPT_AFTER_END_DAYS * 24 * 3600;
  }

  /** The time, in Unix seconds, until which the records of a key are kept; none without an end. */
  #lasting({ expiresAt }: KeyRecord): { expiresAt?: number } {
    return expiresAt === undefined ? {} : { expiresAt: this.#keptUntil(Date.parse(expiresAt)) };
  }

  #writes(id: string, value: KeyRecord): RecordOperation[] {
    const organizationId = this.#organizationId;
    const entry = keyEntry(organizationId, id);
    const lasting = this.#lasting(value);
    return [
      { kind: "put", key: keyRecordKey(id), value, condition: { ifAbsent: true }, ...lasting },
      { kind: "put", key: entry, value: { v: 1, organizationId }, ...lasting },
    ];
  }

  /** Ends a replaced key after the overlap, or at its own end when that comes first. */
  #endLater({ key, value: before, version }: StoredKey, overlapHours: number): RecordOperation[] {
    const end = Math.min(
      this.#clock.now() + overlapHours * HOUR_MS,
      before.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(before.expiresAt),
    );
    const value: KeyRecord = { ...before, expiresAt: new Date(end).toISOString() };
    const organizationId = this.#organizationId;
    const entry = keyEntry(organizationId, key.sort);
    const lasting = this.#lasting(value);
    return [
      { kind: "put", key, value, condition: { ifVersion: version }, ...lasting },
      { kind: "put", key: entry, value: { v: 1, organizationId }, ...lasting },
    ];
  }

  /**
   * An organization keeps a key with the scope `admin`: the check fails when the other one ends at the same time.
   * @throws Conflict when there is no other one
   */
  #witness(others: readonly StoredKey[], ending: StoredKey | undefined): RecordOperation[] {
    if (ending === undefined || !ending.value.scopes.includes("admin")) return [];
    const now = this.#clock.now();
    if (isPast(ending.value.expiresAt, now)) return [];
    const staying = others
      .filter((one) => idOf(one) !== idOf(ending))
      .filter(({ value }) => value.scopes.includes("admin") && !isPast(value.expiresAt, now))
      // The one that stays longest.
      .sort((a, b) => endOf(b) - endOf(a))[0];
    if (staying !== undefined) return [{ kind: "check", key: staying.key, condition: { ifVersion: staying.version } }];
    throw new Conflict(
      `Key ${idOf(ending)} is the organization's last one with the scope 'admin', and nobody could make another; make one first, or ask the service's operator`,
    );
  }
}

/** Milliseconds since 1970 of a key's end. */
const endOf = ({ value: { expiresAt } }: StoredKey): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);

/** @param options `hash`: as authentication hashes keys */
export const organizationKeys = (
  records: Records,
  organizationId: number,
  options: { clock: Pick<Clock, "now">; hash: HashKey },
): OrganizationKeys => new Keys(records, organizationId, options);

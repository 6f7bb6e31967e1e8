/**
 * The files that an organization has sent, and the quotas on them: documents a day (UTC), and bytes stored. A file is
 * counted by the request that stores it, in one transaction of its record and the counters, before its bytes are
 * written; its bytes are given back when it is deleted. The counters are the sum of the records at any time, so that
 * many uploads at once never pass a quota, and a repeated request counts once.
 *
 * Counted are the files that requests store: documents of jobs, batches and operations, templates, their pictures, and
 * whatever another route keeps of what was sent. Files that are made from them are not.
 */
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, Forbidden, ServiceUnavailable } from "../../ports/errors.ts";
import { queryAll, type RecordKey, type RecordOperation, type RecordValue } from "../../ports/records.ts";
import type { OrgRecords } from "./organization-records.ts";

/** Null: no limit. */
export interface DocumentQuotas {
  documentsPerDay: number | null;
  storageBytes: number | null;
}

export interface FileUse {
  documentsToday: number;
  storedBytes: number;
}

export interface StoredFiles {
  /**
   * Counts a file that is about to be stored. @returns gives it back: it was not stored; undefined: it was counted before
   * @throws Forbidden over a quota
   */
  take(key: string, size: number): Promise<(() => Promise<void>) | undefined>;
  /** Gives back what a file takes; safe to repeat. */
  release(key: string): Promise<void>;
  /** Gives back what all files below a prefix take. */
  releaseBelow(prefix: string): Promise<void>;
  quotas(): Promise<DocumentQuotas>;
  use(): Promise<FileUse>;
}

interface FileRecord extends RecordValue {
  v: 1;
  /** Bytes. */
  size: number;
}

/**
 * `stored`: bytes, negated, so that a floor bounds them from above; `received`: days since 1970 times DAY_UNIT plus the
 * documents of that day, negated as well.
 */
interface UseRecord extends RecordValue {
  stored?: number;
  received?: number;
}

export type QuotaRecord = RecordValue & DocumentQuotas;

export const FILES_PARTITION = "files";
const USE_KEY: RecordKey = { partition: "quota", sort: "use" };
export const QUOTAS_KEY: RecordKey = { partition: "quota", sort: "limits" };
/** Above the largest quota. Days times this stay far below 2^53. */
const DAY_UNIT = 10_000_000;
/** The largest quota: documents of an organization and day. */
export const MAX_DOCUMENT_QUOTA = DAY_UNIT - 1;
/** The largest quota of storage: a pebibyte, which is exact as a number. */
export const MAX_STORAGE_QUOTA = 2 ** 50;
export const NO_QUOTAS: DocumentQuotas = { documentsPerDay: null, storageBytes: null };
const DAY_MS = 86_400_000;
/** Tries against others that count at the same time; only a new day and a full quota make one try again. */
const MAX_ATTEMPTS = 10;

/** Files that the service makes, though requests may store them. */
const MADE_FILES =
  /^(jobs\/[^/]+\/(?!(source|upload)$)|templates\/(filled\/|[^/]+\/(fields|schema)\.json$)|knowledge\/)/;

/** A document that came by an address of its own. */
const UPLOAD = /^(jobs\/[^/]+\/)upload$/;

/** The name under which a file is counted; undefined for a file that is not. */
function countedName(key: string): string | undefined {
  if (MADE_FILES.test(key)) return undefined;
  // It becomes the document of its job.
  return key.replace(UPLOAD, "$1source");
}

const fileKey = (name: string): RecordKey => ({ partition: FILES_PARTITION, sort: name });

/** The counters at a moment. */
interface Meter extends FileUse {
  /** Days since 1970. */
  day: number;
  /** The number that the record holds of received documents. */
  received: number;
}

class Files implements StoredFiles {
  readonly #records: OrgRecords;
  readonly #clock: Pick<Clock, "now">;

  constructor(records: OrgRecords, clock: Pick<Clock, "now">) {
    this.#records = records;
    this.#clock = clock;
  }

  async quotas(): Promise<DocumentQuotas> {
    const stored = (await this.#records.get<QuotaRecord>(QUOTAS_KEY))?.value ?? NO_QUOTAS;
    return { documentsPerDay: stored.documentsPerDay, storageBytes: stored.storageBytes };
  }

  async use(): Promise<FileUse> {
    const { documentsToday, storedBytes } = await this.#meter();
    return { documentsToday, storedBytes };
  }

  async #meter(): Promise<Meter> {
    const value = (await this.#records.get<UseRecord>(USE_KEY))?.value;
    const received = -(value?.received ?? 0);
    // Another machine's clock may be past midnight already.
    const day = Math.max(Math.floor(this.#clock.now() / DAY_MS), Math.floor(received / DAY_UNIT));
    const documentsToday = Math.max(0, received - day * DAY_UNIT);
    return { day, received, documentsToday, storedBytes: Math.max(0, -(value?.stored ?? 0)) };
  }

  async take(key: string, size: number): Promise<(() => Promise<void>) | undefined> {
    const name = countedName(key);
    if (name === undefined) return undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const before = await this.#records.get<FileRecord>(fileKey(name));
      // Counted by an earlier try of the request, or when its address was given.
      if (before?.value.size === size) return undefined;
      const [quotas, meter] = await Promise.all([this.quotas(), this.#meter()]);
      const added = size - (before?.value.size ?? 0);
      this.#refuse(quotas, meter, added);
      const condition = before === undefined ? ({ ifAbsent: true } as const) : { ifVersion: before.version };
      const value: FileRecord = { v: 1, size };
      try {
        await this.#records.transact([
          { kind: "put", key: fileKey(name), value, condition },
          additionOf(added, quotas, meter),
        ]);
        return () => this.#giveBack(name, meter.day);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    throw new ServiceUnavailable("Too many documents come in at once; try again", { retryAfter: 1 });
  }

  /** @throws Forbidden */
  #refuse({ documentsPerDay, storageBytes }: DocumentQuotas, meter: Meter, added: number): void {
    if (documentsPerDay !== null && meter.documentsToday >= documentsPerDay) {
      const retryAfter = Math.max(1, Math.ceil((DAY_MS - (this.#clock.now() % DAY_MS)) / 1000));
      throw new Forbidden(
        `Your organization may send ${documentsPerDay} ${documentsPerDay === 1 ? "document" : "documents"} a day and has sent them; send more after 00:00 UTC`,
        { retryAfter },
      );
    }
    if (storageBytes === null || added <= 0 || meter.storedBytes + added <= storageBytes) return;
    const left = Math.max(0, storageBytes - meter.storedBytes);
    throw new Forbidden(
      `Your organization may store ${storageBytes} bytes of documents, and ${left} are left; delete jobs, batches or templates to free their bytes`,
    );
  }

  release(key: string): Promise<void> {
    // The upload is its job's document, whose deletion gives it back.
    const name = UPLOAD.test(key) ? undefined : countedName(key);
    return name === undefined ? Promise.resolve() : this.#giveBack(name);
  }

  async releaseBelow(prefix: string): Promise<void> {
    const query = { partition: FILES_PARTITION, prefix, limit: 1000 };
    for await (const { key } of queryAll(this.#records, query)) await this.#giveBack(key.sort);
  }

  /** @param day the day on which the document was counted, to give that back too */
  async #giveBack(name: string, day?: number): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const stored = await this.#records.get<FileRecord>(fileKey(name));
      if (stored === undefined) return;
      const isToday = day !== undefined && (await this.#meter()).day === day;
      try {
        await this.#records.transact([
          { kind: "delete", key: stored.key, condition: { ifVersion: stored.version } },
          { kind: "add", key: USE_KEY, amounts: { stored: stored.value.size, ...(isToday ? { received: 1 } : {}) } },
        ]);
        return;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
  }
}

/** Counts a file unless that passes a quota. The first document of a day sets the day; of two at once, one finds it set. */
function additionOf(
  added: number,
  { documentsPerDay, storageBytes }: DocumentQuotas,
  { day, received }: Meter,
): RecordOperation {
  const begins = day * DAY_UNIT;
  const isFirst = received < begins;
  const most = isFirst ? begins + 1 : begins + (documentsPerDay ?? MAX_DOCUMENT_QUOTA);
  return {
    kind: "add",
    key: USE_KEY,
    amounts: { stored: -added, received: -(isFirst ? begins + 1 - received : 1) },
    floor: {
      received: -most,
      // A quota below what is stored refuses more, and nothing that frees some.
      ...(storageBytes === null || added <= 0 ? {} : { stored: -storageBytes }),
    },
  };
}

/** The counted files of an organization. */
export const storedFilesOf = (records: OrgRecords, clock: Pick<Clock, "now">): StoredFiles => new Files(records, clock);

/** Files of an organization, whose deletion gives back what they take. */
export const releasingBlobs = (blobs: Blobs, files: StoredFiles): Blobs => ({
  ...blobs,
  async delete(key) {
    // First: a deletion that is cut short is repeated.
    await files.release(key);
    await blobs.delete(key);
  },
});

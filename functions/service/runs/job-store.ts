/** Creation, loading and versioned updates of jobs. */
import { createHash } from "node:crypto";
import { ConcurrentModification, ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { entryChange, newEntryOperations } from "./job-entries.ts";
import {
  type AwaitedUpload,
  type BatchFacts,
  type JobRecord,
  jobKey,
  type SourceFile,
  sourceKey,
} from "./job-records.ts";

/** The current time as the API writes it: ISO 8601, UTC, milliseconds. */
export const nowIso = (org: Organization): string => new Date(org.engines.clock.now()).toISOString();

export interface NewJob {
  /** Set for a request with an Idempotency-Key, so that a retry makes the same job. */
  guid?: string;
  bytes: Uint8Array;
  mimeType: string;
  fileName: string | null;
  pageCount?: number | null;
}

/** Stores a document and makes its job, PENDING. Repeating it with the same guid has no effect. */
export async function createJob(org: Organization, upload: NewJob): Promise<JobRecord> {
  const guid = upload.guid ?? org.engines.clock.guid();
  const existing = await org.records.get<JobRecord>(jobKey(guid));
  if (existing !== undefined) return existing.value;
  const key = sourceKey(guid);
  await org.blobs.put(key, upload.bytes, { contentType: upload.mimeType });
  const { bytes, mimeType, fileName, pageCount = null } = upload;
  const source = { key, size: bytes.length, sha256: sha256Of(bytes), mimeType, fileName, pageCount };
  return insertJob(org, guid, source);
}

/** The SHA-256 of bytes, in lower-case hexadecimal digits. */
export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A new job, PENDING. */
export function newJob(org: Organization, guid: string, source: SourceFile): JobRecord {
  const at = nowIso(org);
  return {
    v: 1,
    guid,
    status: "PENDING",
    error: null,
    createdAt: at,
    updatedAt: at,
    source,
    runs: [],
    lastRun: 0,
    openRun: null,
    tokenCount: 0,
    ocrPages: 0,
    llmTokens: 0,
    statusVersion: 1,
    tallied: true,
  };
}

/**
 * Makes a job, PENDING; an existing job of that guid stays as it is.
 * @param upload for a document that has not arrived yet @param documents for a batch
 */
export async function insertJob(
  org: Organization,
  guid: string,
  source: SourceFile,
  upload?: AwaitedUpload,
  documents?: BatchFacts,
): Promise<JobRecord> {
  const job: JobRecord = {
    ...newJob(org, guid, source),
    ...(upload === undefined ? {} : { upload }),
    ...(documents === undefined ? {} : { documents }),
  };
  try {
    await org.records.transact([
      { kind: "put", key: jobKey(guid), value: job, condition: { ifAbsent: true } },
      ...newEntryOperations(job),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return (await loadJob(org, guid)).value;
  }
  org.observer.count("jobs_created_total");
  return job;
}

/** Loads a job. @throws NotFound for a job that the organization does not have, or that is being deleted */
export async function loadJob(org: Organization, guid: string): Promise<StoredRecord<JobRecord>> {
  const record = await org.records.get<JobRecord>(jobKey(guid));
  if (record === undefined || record.value.deleted) throw new NotFound(`No job ${guid}`);
  return record;
}

/** @throws Conflict while a run is open */
export function refuseOpenRun({ openRun: open, documents }: JobRecord): void {
  const jobKind = documents === undefined ? "job" : "batch";
  if (open !== null) throw new Conflict(`Run ${open} of this ${jobKind} is still open; wait until it has ended`);
}

/** Attempts to update one job against concurrent updates. */
const MAX_UPDATE_ATTEMPTS = 8;
/** Longest pause before a further attempt, where many updates are concurrent. */
const MAX_PAUSE_MS = 40;
/** A pause, spread by the random end of a GUID. */
const pauseMs = (guid: string): number => Number.parseInt(guid.slice(-4), 16) % MAX_PAUSE_MS;

/**
 * Reads a job, changes it and writes it with its list entry and counters, in one transaction with `more`. Retries after a concurrent
 * update of the job.
 * @param change gives the new job and further operations; undefined: no change
 * @param attempts more than the default where many updates of one job are concurrent
 * @throws ConditionFailed when an operation of `more` fails its condition; ConcurrentModification after too many attempts
 */
export async function updateJob(
  org: Organization,
  guid: string,
  change: (job: JobRecord) => { job: JobRecord; more?: OrgOperation[] } | undefined,
  attempts = MAX_UPDATE_ATTEMPTS,
): Promise<JobRecord> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt >= MAX_UPDATE_ATTEMPTS) await org.engines.clock.sleep(pauseMs(org.engines.clock.guid()));
    const stored = await loadJob(org, guid);
    const changed = change(stored.value);
    if (changed === undefined) return stored.value;
    const { more = [] } = changed;
    const { job, operations } = await entryChange(org, stored.value, changed.job);
    try {
      await org.records.transact([
        { kind: "put", key: jobKey(guid), value: job, condition: { ifVersion: stored.version } },
        ...operations,
        ...more,
      ]);
      return job;
    } catch (error) {
      const isRace =
        error instanceof ConditionFailed && error.failed.every((position) => position <= operations.length);
      if (!isRace) throw error;
    }
  }
  throw new ConcurrentModification("the job");
}

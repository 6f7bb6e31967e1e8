/** Jobs: made by an upload, read, and changed under their version. */
import { createHash } from "node:crypto";
import { ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import {
  type AwaitedUpload,
  type BatchFacts,
  entryKey,
  entryOf,
  type JobRecord,
  jobKey,
  monthKey,
  monthOf,
  type SourceFile,
  sourceKey,
} from "./job-records.ts";

/** The time now as the wire writes it: ISO 8601, UTC, milliseconds. */
export const nowIso = (org: Organization): string => new Date(org.engines.clock.now()).toISOString();

export interface NewJob {
  /** Given when the request carries an Idempotency-Key, so that a second try makes the same job. */
  guid?: string;
  bytes: Uint8Array;
  mimeType: string;
  fileName: string | null;
}

/** Keeps the document and makes its job, PENDING. Doing it again with the same guid is once. */
export async function createJob(org: Organization, upload: NewJob): Promise<JobRecord> {
  const guid = upload.guid ?? org.engines.clock.guid();
  const known = await org.records.get<JobRecord>(jobKey(guid));
  if (known !== undefined) return known.value;
  const key = sourceKey(guid);
  await org.blobs.put(key, upload.bytes, { contentType: upload.mimeType });
  const { mimeType, fileName } = upload;
  return keepJob(org, guid, { key, size: upload.bytes.length, sha256: sha256Of(upload.bytes), mimeType, fileName });
}

/** As lower-case hexadecimal digits. */
export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A job as it begins, PENDING. */
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
  };
}

/** The entry that lists a job. Documents of batches have none, nor have operations: they stand beside their parent. */
const listed = (job: JobRecord): OrgOperation[] =>
  job.batch === undefined && job.operation === undefined
    ? [{ kind: "put", key: entryKey(job), value: entryOf(job) }]
    : [];

/**
 * Makes a job, PENDING; a guid that has one already keeps it.
 * @param upload when its document is not there yet @param documents when it is a batch
 */
export async function keepJob(
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
  await noteMonth(org, monthOf(job.createdAt));
  try {
    await org.records.transact([
      { kind: "put", key: jobKey(guid), value: job, condition: { ifAbsent: true } },
      ...listed(job),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return (await loadJob(org, guid)).value;
  }
  org.observer.count("jobs_created_total");
  return job;
}

/** Listing walks the months that are noted. No count is kept: all uploads of an organization would contend for it. */
async function noteMonth(org: Organization, month: string): Promise<void> {
  const key = monthKey(month);
  if ((await org.records.get(key)) === undefined) await org.records.put(key, { v: 1 });
}

/** @throws NotFound when there is no such job in this organization, or it is being deleted */
export async function loadJob(org: Organization, guid: string): Promise<StoredRecord<JobRecord>> {
  const record = await org.records.get<JobRecord>(jobKey(guid));
  if (record === undefined || record.value.deleted) throw new NotFound(`No job ${guid}`);
  return record;
}

/** How often a change of one job is tried against others before the caller is told. */
const TRIES = 8;
/** Where many come at once, who was too late waits up to so long before the next try. */
const LONGEST_PAUSE_MS = 40;
/** Spread by the end of a GUID, which is random. */
const pauseOf = (guid: string): number => Number.parseInt(guid.slice(-4), 16) % LONGEST_PAUSE_MS;

/**
 * Reads a job, changes it and writes it with its listing entry, in one transaction with `more`. Tried again when
 * somebody else wrote the job meanwhile.
 * @param change gives the new job and further operations; undefined: nothing to do
 * @param tries more than usual where many change one job at once
 * @throws ConditionFailed when an operation of `more` fails its condition; Conflict after too many tries
 */
export async function changeJob(
  org: Organization,
  guid: string,
  change: (job: JobRecord) => { job: JobRecord; more?: OrgOperation[] } | undefined,
  tries = TRIES,
): Promise<JobRecord> {
  for (let attempt = 0; attempt < tries; attempt++) {
    if (attempt >= TRIES) await org.engines.clock.sleep(pauseOf(org.engines.clock.guid()));
    const stored = await loadJob(org, guid);
    const changed = change(stored.value);
    if (changed === undefined) return stored.value;
    const { job, more = [] } = changed;
    try {
      await org.records.transact([
        { kind: "put", key: jobKey(guid), value: job, condition: { ifVersion: stored.version } },
        ...listed(job),
        ...more,
      ]);
      return job;
    } catch (error) {
      const raced = error instanceof ConditionFailed && error.failed.every((position) => position === 0);
      if (!raced) throw error;
    }
  }
  throw new Conflict("The job was changed by others at the same time; try again");
}

/** Jobs: made by an upload, read, and changed under their version. */
import { createHash } from "node:crypto";
import { ConditionFailed, Conflict, NotFound } from "../errors.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/records.ts";
import type { StoredRecord } from "../ports.ts";
import {
  type AwaitedUpload,
  entryKey,
  entryOf,
  type JobRecord,
  jobKey,
  monthKey,
  monthOf,
  type SourceFile,
  sourceKey,
} from "./model.ts";

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

/** Makes a job, PENDING; a guid that has one already keeps it. @param upload when its document is not there yet */
export async function keepJob(
  org: Organization,
  guid: string,
  source: SourceFile,
  upload?: AwaitedUpload,
): Promise<JobRecord> {
  const at = nowIso(org);
  const job: JobRecord = {
    v: 1,
    guid,
    status: "PENDING",
    error: null,
    createdAt: at,
    updatedAt: at,
    source,
    ...(upload === undefined ? {} : { upload }),
    runs: [],
    lastRun: 0,
    openRun: null,
    tokenCount: 0,
    ocrPages: 0,
    llmTokens: 0,
    statusVersion: 1,
  };
  await noteMonth(org, monthOf(at));
  try {
    await org.records.transact([
      { kind: "put", key: jobKey(guid), value: job, condition: { ifAbsent: true } },
      { kind: "put", key: entryKey(job), value: entryOf(job) },
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

/**
 * Reads a job, changes it and writes it with its listing entry, in one transaction with `more`. Tried again when
 * somebody else wrote the job meanwhile.
 * @param change gives the new job and further operations; undefined: nothing to do
 * @throws ConditionFailed when an operation of `more` fails its condition; Conflict after too many tries
 */
export async function changeJob(
  org: Organization,
  guid: string,
  change: (job: JobRecord) => { job: JobRecord; more?: OrgOperation[] } | undefined,
): Promise<JobRecord> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const stored = await loadJob(org, guid);
    const changed = change(stored.value);
    if (changed === undefined) return stored.value;
    const { job, more = [] } = changed;
    try {
      await org.records.transact([
        { kind: "put", key: jobKey(guid), value: job, condition: { ifVersion: stored.version } },
        { kind: "put", key: entryKey(job), value: entryOf(job) },
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

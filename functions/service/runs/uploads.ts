/**
 * Documents that are uploaded by a presigned PUT, past the gateway and its limits. The job is made first; the file is
 * uploaded to a blob of its own, and becomes the job's document when it is first needed and has been inspected. Later
 * uploads to the address have no effect.
 */

import { sniffDocument } from "../../engine/readers/sniff-media-type.ts";
import { inspectTask } from "../../engine/tasks/inspect.ts";
import type { PresignedRequest } from "../../ports/blobs.ts";
import { ConditionFailed, Conflict, UnprocessableEntity } from "../../ports/errors.ts";
import { MAX_QUEUE_DELAY_SECONDS } from "../../ports/queue.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type AwaitedUpload, type JobRecord, type SourceFile, sourceKey, uploadKey } from "./job-records.ts";
import { insertJob, loadJob, nowIso, sha256Of, updateJob } from "./job-store.ts";

/** Validity of an upload address: 10 MB take 800 s at 100 kbit/s. */
const UPLOAD_URL_SECONDS = 900;
/** An inspection opens a document, and reads no page of it. */
const PAGES_READ_BY_INSPECTION = 0;
/** Time limit for opening a document on inspection. */
const MAX_INSPECTION_MS = 20_000;

/**
 * Inspects a document: detects its type, checks that it opens, and counts its pages where that takes no reading.
 * @throws UnsupportedMediaType, UnprocessableEntity: the table of bad documents in the contract; ServiceUnavailable
 *   when the inspection cannot start in time
 */
export async function inspectUpload(
  org: Organization,
  file: { bytes: Uint8Array; mimeType: string | undefined; fileName: string | undefined },
): Promise<{ mimeType: string; pageCount: number | null }> {
  const { mimeType } = sniffDocument(file.bytes, file.mimeType, file.fileName);
  const limits = callLimits(org, MAX_INSPECTION_MS, PAGES_READ_BY_INSPECTION);
  const { pageCount } = await org.engines.documents.run(inspectTask, { bytes: file.bytes, mimeType }, limits);
  return { mimeType, pageCount };
}

export interface AnnouncedUpload {
  guid: string;
  fileName: string | null;
  /** As declared; the PUT must have exactly this type. */
  mimeType: string;
  /** Bytes. */
  size: number;
}

/**
 * Makes the job of a document to be uploaded. Repeating it with the same guid only gives a new address.
 * @param insert makes the job; it leaves an existing one as it is
 */
export async function announceUpload(
  org: Organization,
  { guid, fileName, mimeType, size }: AnnouncedUpload,
  insert: (source: SourceFile, upload: AwaitedUpload) => Promise<unknown> = (source, upload) =>
    insertJob(org, guid, source, upload),
): Promise<{ job: JobRecord; request: PresignedRequest }> {
  const request = await org.blobs.presignPut(uploadKey(guid), {
    expiresInSeconds: UPLOAD_URL_SECONDS,
    contentType: mimeType,
    size,
  });
  const { expiresAt } = request;
  await insert({ key: sourceKey(guid), size, sha256: null, mimeType, fileName }, { expiresAt });
  const job = await updateJob(org, guid, (current) =>
    current.upload === undefined || current.upload.expiresAt >= expiresAt
      ? undefined
      : { job: { ...current, upload: { expiresAt } } },
  );
  return { job, request };
}

/**
 * Loads a job whose document has arrived. A document uploaded by a presigned PUT is inspected here, once.
 * @throws NotFound for an unknown job; Conflict while its document is missing; the errors of `inspectUpload`
 */
export async function loadDocument(org: Organization, guid: string): Promise<JobRecord> {
  const { value: job } = await loadJob(org, guid);
  const { upload } = job;
  if (job.documents !== undefined) {
    throw new Conflict(`Job ${guid} is a batch; process it by POST /document/batch/${guid}/process`);
  }
  if (job.batch !== undefined) throw new Conflict(`Job ${guid} is a document of a batch; process the batch`);
  if (upload === undefined) return job;
  const { bytes, mimeType, pageCount = null } = await adoptUpload(org, job, upload);
  const admitted = await updateJob(org, job.guid, (current) => {
    if (current.upload === undefined) return undefined;
    const { upload: _arrived, ...rest } = current;
    const source = { ...current.source, size: bytes.length, sha256: sha256Of(bytes), mimeType, pageCount };
    return { job: { ...rest, source, updatedAt: nowIso(org) } };
  });
  await enqueueUploadDeletion(org, job.guid, upload);
  return admitted;
}

/** Makes the uploaded file the job's document, after inspection. Of concurrent calls, the first one's file stays. */
async function adoptUpload(
  org: Organization,
  { guid, source }: JobRecord,
  upload: AwaitedUpload,
): Promise<{ bytes: Uint8Array; mimeType: string; pageCount?: number | null }> {
  const file = { mimeType: source.mimeType, fileName: source.fileName ?? undefined };
  const loadAdopted = async () => {
    const bytes = await org.blobs.get(source.key);
    return bytes && { bytes, ...sniffDocument(bytes, file.mimeType, file.fileName) };
  };
  // A call that was cut short may have done it already.
  const adopted = await loadAdopted();
  if (adopted !== undefined) return adopted;
  const bytes = await loadUploadedBytes(org, guid, source.size, upload);
  const inspected = await inspectUpload(org, { bytes, ...file });
  try {
    await org.blobs.put(source.key, bytes, { contentType: inspected.mimeType, ifAbsent: true });
  } catch (error) {
    const first = error instanceof ConditionFailed ? await loadAdopted() : undefined;
    if (first === undefined) throw error;
    return first;
  }
  return { bytes, ...inspected };
}

/**
 * Loads the uploaded file.
 * @throws Conflict while it is missing; UnprocessableEntity for another length than declared
 */
async function loadUploadedBytes(
  org: Organization,
  guid: string,
  declared: number,
  { expiresAt }: AwaitedUpload,
): Promise<Uint8Array> {
  const bytes = await org.blobs.get(uploadKey(guid));
  if (bytes === undefined) {
    const expired = Date.parse(expiresAt) <= org.engines.clock.now();
    throw new Conflict(
      expired
        ? "The document of this job never came, and its uploadUrl has expired; ask for another by POST /document/upload-url"
        : "The document of this job is not there yet; send it to its uploadUrl by PUT first",
    );
  }
  if (bytes.length === declared) return bytes;
  throw new UnprocessableEntity(`The document has ${bytes.length} bytes; ${declared} were declared`);
}

/** Enqueues the deletion of the uploaded file, for when its address has expired. */
export async function enqueueUploadDeletion(
  org: Organization,
  guid: string,
  { expiresAt }: AwaitedUpload,
): Promise<void> {
  const seconds = Math.ceil((Date.parse(expiresAt) - org.engines.clock.now()) / 1000);
  const delay = Math.min(MAX_QUEUE_DELAY_SECONDS, Math.max(0, seconds));
  await enqueue(org, { kind: "delete-upload", guid }, delay);
}

/** Deletes a file uploaded by a presigned PUT; safe to repeat. */
export async function deleteUpload(org: Organization, guid: string): Promise<void> {
  await org.blobs.delete(uploadKey(guid));
}

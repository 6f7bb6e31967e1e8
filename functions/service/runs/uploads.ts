/**
 * Documents that come by a presigned PUT, past the gateway and its limits. The job is made first; the file goes to a
 * place of its own, and becomes the job's document when it is first wanted and was looked at. What the address takes
 * after that changes nothing.
 */

import { sniffDocument } from "../../engine/readers/sniff-media-type.ts";
import { inspectTask } from "../../engine/tasks/inspect.ts";
import type { PresignedRequest } from "../../ports/blobs.ts";
import { ConditionFailed, Conflict, UnprocessableEntity } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type AwaitedUpload, type JobRecord, sourceKey, uploadKey } from "./job-records.ts";
import { changeJob, keepJob, loadJob, nowIso, sha256Of } from "./job-store.ts";

/** How long an address takes the file: 10 MB go through 100 kbit/s within it. */
const UPLOAD_SECONDS = 900;
/** An upload that began in time may end behind it; the queue delays work by 900 s at most. */
const LONGEST_DELAY_SECONDS = 900;
/** Opening a document for a first look may take this long. */
const INSPECT_MS = 20_000;

/**
 * The first look at a document: what it is, and whether it opens.
 * @throws UnsupportedMediaType, UnprocessableEntity: the table of bad documents in the contract
 */
export async function inspectUpload(
  org: Organization,
  file: { bytes: Uint8Array; mimeType: string | undefined; fileName: string | undefined },
): Promise<{ mimeType: string }> {
  const { mimeType } = sniffDocument(file.bytes, file.mimeType, file.fileName);
  await org.engines.documents.run(
    inspectTask,
    { bytes: file.bytes, mimeType },
    { deadline: org.engines.clock.now() + INSPECT_MS },
  );
  return { mimeType };
}

export interface AnnouncedUpload {
  guid: string;
  fileName: string | null;
  /** As declared; the PUT must carry exactly this. */
  mimeType: string;
  /** Bytes. */
  size: number;
}

/** Makes the job of a document that is still to come. Doing it again with the same guid is once, with a new address. */
export async function announceUpload(
  org: Organization,
  { guid, fileName, mimeType, size }: AnnouncedUpload,
): Promise<{ job: JobRecord; request: PresignedRequest }> {
  const request = await org.blobs.presignPut(uploadKey(guid), {
    expiresInSeconds: UPLOAD_SECONDS,
    contentType: mimeType,
    size,
  });
  const { expiresAt } = request;
  await keepJob(org, guid, { key: sourceKey(guid), size, sha256: null, mimeType, fileName }, { expiresAt });
  const job = await changeJob(org, guid, (current) =>
    current.upload === undefined || current.upload.expiresAt >= expiresAt
      ? undefined
      : { job: { ...current, upload: { expiresAt } } },
  );
  return { job, request };
}

/**
 * The job with its document there. One that came by a presigned PUT is looked at here, once.
 * @throws NotFound for no such job; Conflict while its document is not there; what an upload is refused with
 */
export async function loadDocument(org: Organization, guid: string): Promise<JobRecord> {
  const { value: job } = await loadJob(org, guid);
  const { upload } = job;
  if (job.documents !== undefined) {
    throw new Conflict(`Job ${guid} is a batch; process it by POST /document/batch/${guid}/process`);
  }
  if (job.batch !== undefined) throw new Conflict(`Job ${guid} is a document of a batch; process the batch`);
  if (upload === undefined) return job;
  const { bytes, mimeType } = await takeOver(org, job, upload);
  const admitted = await changeJob(org, job.guid, (current) => {
    if (current.upload === undefined) return undefined;
    const { upload: _arrived, ...rest } = current;
    const source = { ...current.source, size: bytes.length, sha256: sha256Of(bytes), mimeType };
    return { job: { ...rest, source, updatedAt: nowIso(org) } };
  });
  await enqueueUploadDeletion(org, job.guid, upload);
  return admitted;
}

/** Makes the file that came the job's document, after the first look. Of several at once, the first one's stays. */
async function takeOver(
  org: Organization,
  { guid, source }: JobRecord,
  upload: AwaitedUpload,
): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const file = { mimeType: source.mimeType, fileName: source.fileName ?? undefined };
  const taken = async () => {
    const bytes = await org.blobs.get(source.key);
    return bytes && { bytes, ...sniffDocument(bytes, file.mimeType, file.fileName) };
  };
  // Also by a call that was cut short before it could say so.
  const already = await taken();
  if (already !== undefined) return already;
  const bytes = await uploadedBytes(org, guid, source.size, upload);
  const { mimeType } = await inspectUpload(org, { bytes, ...file });
  try {
    await org.blobs.put(source.key, bytes, { contentType: mimeType, ifAbsent: true });
  } catch (error) {
    const first = error instanceof ConditionFailed ? await taken() : undefined;
    if (first === undefined) throw error;
    return first;
  }
  return { bytes, mimeType };
}

/** @throws Conflict while it is not there; UnprocessableEntity when it is not as long as was declared */
async function uploadedBytes(
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

/** Has what an address took deleted, once it takes nothing more. */
export async function enqueueUploadDeletion(
  org: Organization,
  guid: string,
  { expiresAt }: AwaitedUpload,
): Promise<void> {
  const seconds = Math.ceil((Date.parse(expiresAt) - org.engines.clock.now()) / 1000);
  const delay = Math.min(LONGEST_DELAY_SECONDS, Math.max(0, seconds));
  await enqueue(org, { kind: "delete-upload", guid }, delay);
}

/** Deletes what a presigned PUT left behind; again is harmless. */
export async function deleteUpload(org: Organization, guid: string): Promise<void> {
  await org.blobs.delete(uploadKey(guid));
}

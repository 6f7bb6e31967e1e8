/**
 * Documents that clients send into a case by a presigned PUT. Nobody tells when the file is there, so the queue looks again
 * and again until the address has expired; then the reading begins as for any other document of a case.
 */

import type { PresignedRequest } from "../../ports/blobs.ts";
import { AppError, Conflict, NotFound, PaymentRequired } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { stateOperations } from "../runs/case-place.ts";
import { type JobRecord, jobKey, uploadKey } from "../runs/job-records.ts";
import { newJob, nowIso, updateJob } from "../runs/job-store.ts";
import { openRun } from "../runs/open-run.ts";
import { type AnnouncedUpload, announceUpload, loadDocument } from "../runs/uploads.ts";
import { placeDocument, UNPAID_SENTENCE } from "./add-document.ts";
import { type DueCaseUpload, uploadDue } from "./case-records.ts";
import { loadCase } from "./cases.ts";
import { readingCommand } from "./reading-command.ts";

/** First look for the file, in seconds after the announcement. */
const FIRST_LOOK_SECONDS = 1;
/** The next look is after this share of the time since the announcement: about 30 looks until an address expires. */
const LOOK_SHARE = 0.25;
/** Seconds between looks at a document that cannot be taken now, as another run of it is open. */
const BUSY_SECONDS = 10;
/** Seconds after the end of the address: a PUT that began before it may still arrive. */
const LATE_SECONDS = 60;

const NEVER_CAME =
  "Processing failed: The document never came, and its uploadUrl has expired; delete it and upload it again";

/** Announces a document of a case. Repeating it with the same guid only gives a new address. @throws NotFound; Conflict */
export async function announceCaseUpload(
  org: Organization,
  caseId: number,
  upload: AnnouncedUpload,
): Promise<{ job: JobRecord; request: PresignedRequest }> {
  await loadCase(org, caseId);
  const { guid, fileName } = upload;
  const announced = await announceUpload(org, upload, async (source, { expiresAt }) => {
    if ((await org.records.get(jobKey(guid))) !== undefined) return;
    const due: DueCaseUpload = { v: 1, kind: "case-upload", organizationId: org.id, guid, caseId, expiresAt };
    const job = { ...newJob(org, guid, source), upload: { expiresAt } };
    const operations = [{ kind: "due-put" as const, id: uploadDue(guid), value: due }];
    await placeDocument(org, caseId, { job, operations }, { fileName, metadata: {} });
  });
  await enqueue(org, { kind: "case-upload", guid }, FIRST_LOOK_SECONDS);
  return announced;
}

/** Looks if an announced document is there, and begins its reading; safe to repeat, also concurrently. */
export async function takeCaseUpload(org: Organization, guid: string): Promise<void> {
  const due = (await org.records.due(uploadDue(guid)))?.value as DueCaseUpload | undefined;
  if (due === undefined) return;
  const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
  const isGone = job === undefined || job.deleted === true || job.case?.removed === true;
  if (isGone || job.runs.some(({ mode }) => mode === "SUMMARY")) return forget(org, guid);
  if (job.upload !== undefined && (await org.blobs.head(uploadKey(guid))) === undefined) {
    const { expiresAt } = job.upload;
    const late = Date.parse(expiresAt) + LATE_SECONDS * 1000 - org.engines.clock.now();
    if (late <= 0) return failUpload(org, guid, NEVER_CAME);
    const waited = (org.engines.clock.now() - Date.parse(job.createdAt)) / 1000;
    return lookAgain(org, guid, Math.max(FIRST_LOOK_SECONDS, Math.min(waited * LOOK_SHARE, late / 1000)));
  }
  try {
    const { source } = await loadDocument(org, guid);
    await openRun(org, guid, readingCommand(source.mimeType), uploadDue(guid));
  } catch (error) {
    if (error instanceof NotFound) return forget(org, guid);
    // Another run of the document is open; the summary is made after it.
    if (error instanceof Conflict) return lookAgain(org, guid, BUSY_SECONDS);
    if (error instanceof PaymentRequired) return failUpload(org, guid, UNPAID_SENTENCE);
    if (!(error instanceof AppError) || error.retryable || !error.refusesRequest) throw error;
    return failUpload(org, guid, `Processing failed: ${error.message}`);
  }
  await forget(org, guid);
}

const lookAgain = (org: Organization, guid: string, seconds: number): Promise<void> =>
  enqueue(org, { kind: "case-upload", guid }, Math.ceil(seconds));

const forget = (org: Organization, guid: string): Promise<void> =>
  org.records.transact([{ kind: "due-delete", id: uploadDue(guid) }]);

/** Ends a document that cannot be read; what is at its address stays until the document is deleted. */
async function failUpload(org: Organization, guid: string, error: string): Promise<void> {
  await updateJob(org, guid, (job) => {
    const updatedAt = nowIso(org);
    const failed: JobRecord = { ...job, status: "FAILED", error, updatedAt, statusVersion: job.statusVersion + 1 };
    return {
      // A run that somebody has opened meanwhile says how the job is.
      job: job.openRun === null ? failed : job,
      more: [...stateOperations(job, { status: "FAILED", updatedAt }), { kind: "due-delete", id: uploadDue(guid) }],
    };
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof NotFound)) throw thrown;
  });
}

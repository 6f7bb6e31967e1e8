/** Deletion: one write hides the job from readers; the queue or the sweep then deletes its files and records. */

import { ConcurrentModification, ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import { deleteDocuments } from "../batches/delete-documents.ts";
import { deleteOperationResult, loadOperations } from "../operations/operation-history.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { deleteFiles, deleteRecords } from "../runs/erase-job-data.ts";
import { removeEntry } from "../runs/job-entries.ts";
import { deletionId, type JobRecord, jobKey, type OpenDeletion, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { updateJob } from "../runs/job-store.ts";
import { enqueueUploadDeletion } from "../runs/uploads.ts";
import { deleteOperations } from "./delete-operations.ts";
import { advanceDependents } from "./dependent-runs.ts";
import { settleRun } from "./settle-run.ts";

/** A step ends within this time after its run's deadline. */
const STEP_GRACE_SECONDS = 60;
/** A removed document's job is closed in two attempts, unless others open runs of it meanwhile. */
const MAX_CLOSING_ATTEMPTS = 8;

/**
 * Deletes a job; its files are deleted afterwards, and usage records stay.
 * @param only delete only a job that ended before this time, in milliseconds since 1970
 * @returns true when it is deleted @throws NotFound; Conflict while a run is open
 */
export async function deleteJob(org: Organization, guid: string, only?: { endedBefore: number }): Promise<boolean> {
  const due: OpenDeletion = { v: 1, kind: "delete", organizationId: org.id, guid };
  let job: JobRecord | undefined;
  const operations = await loadOperations(org, guid);
  if (operations.some(({ openRun }) => openRun !== null)) {
    throw new Conflict("An operation on this job is at work; wait until it has ended");
  }
  await updateJob(org, guid, (current) => {
    // Reset, as an attempt that lost a race has deleted nothing.
    job = undefined;
    if (current.openRun !== null) throw new Conflict("A run of this job is open; wait until it has ended");
    if (current.batch !== undefined) throw new Conflict("This is a document of a batch; delete the batch");
    if (current.case !== undefined) {
      const { id } = current.case;
      throw new Conflict(`This is a document of a case; delete it by DELETE /cases/${id}/documents/${guid}`);
    }
    const { status, updatedAt } = current;
    if (only !== undefined && (!TERMINAL_STATUSES.has(status) || Date.parse(updatedAt) >= only.endedBefore))
      return undefined;
    job = current;
    return { job: { ...current, deleted: true }, more: [{ kind: "due-put", id: deletionId(guid), value: due }] };
  });
  if (job === undefined) return false;
  await hideOperations(org, operations);
  await enqueue(org, { kind: "delete-job", guid });
  // A step of an ended run may still be running, and store a file at its end.
  if (endedRecently(org, job)) {
    await enqueue(org, { kind: "delete-job", guid }, org.config.jobTimeoutSeconds + STEP_GRACE_SECONDS);
  }
  // The upload address may still accept a file, which would be orphaned.
  if (job.upload !== undefined) await enqueueUploadDeletion(org, guid, job.upload);
  org.observer.count("jobs_deleted_total");
  return true;
}

/** Hides the operations of a job that is being deleted. One that began meanwhile is left to the deletion. */
async function hideOperations(org: Organization, operations: readonly JobRecord[]): Promise<void> {
  for (const { guid } of operations) {
    await updateJob(org, guid, (current) =>
      current.openRun === null ? { job: { ...current, deleted: true } } : undefined,
    ).catch((error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
    });
  }
}

/** True when a run ended without its own last step, so recently that one of its steps may still be running. */
function endedRecently(org: Organization, { runs }: JobRecord): boolean {
  const since = org.engines.clock.now() - (org.config.jobTimeoutSeconds + STEP_GRACE_SECONDS) * 1000;
  return runs.some(
    ({ status, startedAt, completedAt }) =>
      (status === "CANCELLED" || status === "FAILED") &&
      startedAt !== null &&
      completedAt !== null &&
      Date.parse(completedAt) > since,
  );
}

/** Ends the open run of a document that has left its case, and hides its job. */
async function closeRemoved(org: Organization, guid: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_CLOSING_ATTEMPTS; attempt += 1) {
    const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
    if (job?.case?.removed !== true || job.deleted === true) return;
    const { openRun: run } = job;
    if (run === null) {
      await updateJob(org, guid, (current) =>
        current.openRun === null ? { job: { ...current, deleted: true } } : undefined,
      );
      continue;
    }
    await settleRun(org, guid, run, undefined, { cancelled: true });
    // A step that is running may store a file at its end.
    await enqueue(org, { kind: "delete-job", guid }, org.config.jobTimeoutSeconds + STEP_GRACE_SECONDS);
  }
  throw new ConcurrentModification("the job");
}

/**
 * Continues a begun deletion; safe to repeat, also concurrently.
 * @returns true when it is complete; a batch of many documents takes several calls
 */
export async function finishDeletion(org: Organization, guid: string): Promise<boolean> {
  const { records } = org;
  await closeRemoved(org, guid);
  const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
  // Runs that wait for the job fail now.
  await advanceDependents(org, guid);
  if (job?.documents !== undefined && !(await deleteDocuments(org, guid))) return false;
  await deleteOperations(org, guid);
  if (job !== undefined) await deleteOperationResult(org, job);
  await deleteFiles(org, guid);
  await deleteRecords(org, guid);
  if (job === undefined) return true;
  await removeEntry(org, job);
  try {
    await records.transact([
      { kind: "delete", key: jobKey(guid), condition: { ifPresent: true } },
      { kind: "due-delete", id: deletionId(guid) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return true;
}

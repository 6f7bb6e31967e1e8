/** Deletion: the job is gone for readers in one write; its files and records follow, by the queue or by the sweep. */

import { ConditionFailed, Conflict } from "../../ports/errors.ts";
import { removeDocuments } from "../batches/delete-documents.ts";
import { eraseOperation, operationsOf } from "../operations/operation-history.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { deleteFiles, deleteRecords } from "../runs/erase-job-data.ts";
import { entryKey, type JobRecord, jobKey, type OpenDeletion, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { updateJob } from "../runs/job-store.ts";
import { enqueueUploadDeletion } from "../runs/uploads.ts";
import { removeOperations } from "./delete-operations.ts";
import { advanceDependents } from "./dependent-runs.ts";

/** A step ends soon after its run's deadline, if not before. */
const STEP_GRACE_SECONDS = 60;

const deletionId = (guid: string): string => `${guid}/delete`;

/**
 * Deletes a job; its files are deleted behind it, and usage records stay.
 * @param only a job that ended before then, in milliseconds since 1970; another stays
 * @returns whether it is deleted @throws NotFound; Conflict while a run is open
 */
export async function deleteJob(org: Organization, guid: string, only?: { endedBefore: number }): Promise<boolean> {
  const due: OpenDeletion = { v: 1, kind: "delete", organizationId: org.id, guid };
  const { records } = org;
  let job: JobRecord | undefined;
  const operations = await operationsOf(org, guid);
  if (operations.some(({ openRun }) => openRun !== null)) {
    throw new Conflict("An operation on this job is at work; wait until it has ended");
  }
  await updateJob(org, guid, (current) => {
    // A try that was too late deleted nothing.
    job = undefined;
    if (current.openRun !== null) throw new Conflict("A run of this job is open; wait until it has ended");
    if (current.batch !== undefined) throw new Conflict("This is a document of a batch; delete the batch");
    const { status, updatedAt } = current;
    if (only !== undefined && (!TERMINAL_STATUSES.has(status) || Date.parse(updatedAt) >= only.endedBefore))
      return undefined;
    job = current;
    return { job: { ...current, deleted: true }, more: [{ kind: "due-put", id: deletionId(guid), value: due }] };
  });
  if (job === undefined) return false;
  await records.delete(entryKey(job));
  await enqueue(org, { kind: "delete-job", guid });
  // A step that nobody waits for any more may still be at work, and leave a file when it ends.
  if (endedLately(org, job)) {
    await enqueue(org, { kind: "delete-job", guid }, org.config.jobTimeoutSeconds + STEP_GRACE_SECONDS);
  }
  // Its address may still take a file, which nobody would find any more.
  if (job.upload !== undefined) await enqueueUploadDeletion(org, guid, job.upload);
  org.observer.count("jobs_deleted_total");
  return true;
}

/** Whether a run ended without its own last step, so lately that a step of it may be at work. */
function endedLately(org: Organization, { runs }: JobRecord): boolean {
  const since = org.engines.clock.now() - (org.config.jobTimeoutSeconds + STEP_GRACE_SECONDS) * 1000;
  return runs.some(
    ({ status, startedAt, completedAt }) =>
      (status === "CANCELLED" || status === "FAILED") &&
      startedAt !== null &&
      completedAt !== null &&
      Date.parse(completedAt) > since,
  );
}

/**
 * Carries a begun deletion on; again, or twice at once, is harmless.
 * @returns whether it is done; a batch of many documents takes several goes
 */
export async function finishDeletion(org: Organization, guid: string): Promise<boolean> {
  const { records } = org;
  const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
  // Those that wait for it learn that it is gone.
  await advanceDependents(org, guid);
  if (job?.documents !== undefined && !(await removeDocuments(org, guid))) return false;
  await removeOperations(org, guid);
  if (job !== undefined) await eraseOperation(org, job);
  await deleteFiles(org, guid);
  await deleteRecords(org, guid);
  if (job === undefined) return true;
  try {
    await records.transact([
      { kind: "delete", key: jobKey(guid), condition: { ifPresent: true } },
      { kind: "delete", key: entryKey(job) },
      { kind: "due-delete", id: deletionId(guid) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return true;
}

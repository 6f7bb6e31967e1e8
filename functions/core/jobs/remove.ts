/** Deletion: the job is gone for readers in one write; its files and records follow, by the queue or by the sweep. */
import { removeDocuments } from "../batches/remove.ts";
import { ConditionFailed, Conflict } from "../errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { handOver } from "../work/work.ts";
import { eraseFiles, eraseRecords } from "./erase.ts";
import { changeJob } from "./jobs.ts";
import { entryKey, type JobRecord, jobKey, type OpenDeletion } from "./model.ts";
import { handOverUpload } from "./uploads.ts";

const deletionId = (guid: string): string => `${guid}/delete`;

/**
 * Deletes a job; its files are deleted behind it, and usage records stay.
 * @throws NotFound; Conflict while a run is open
 */
export async function deleteJob(org: Organization, guid: string): Promise<void> {
  const due: OpenDeletion = { v: 1, kind: "delete", organizationId: org.id, guid };
  const { records } = org;
  let job: JobRecord | undefined;
  await changeJob(org, guid, (current) => {
    if (current.openRun !== null) throw new Conflict("A run of this job is open; wait until it has ended");
    if (current.batch !== undefined) throw new Conflict("This is a document of a batch; delete the batch");
    job = current;
    return { job: { ...current, deleted: true }, more: [{ kind: "due-put", id: deletionId(guid), value: due }] };
  });
  if (job !== undefined) await records.delete(entryKey(job));
  await handOver(org, { kind: "delete-job", guid });
  // Its address may still take a file, which nobody would find any more.
  if (job?.upload !== undefined) await handOverUpload(org, guid, job.upload);
  org.observer.count("jobs_deleted_total");
}

/**
 * Carries a begun deletion on; again, or twice at once, is harmless.
 * @returns whether it is done; a batch of many documents takes several goes
 */
export async function finishDeletion(org: Organization, guid: string): Promise<boolean> {
  const { records } = org;
  const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
  if (job?.documents !== undefined && !(await removeDocuments(org, guid))) return false;
  await eraseFiles(org, guid);
  await eraseRecords(org, guid);
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

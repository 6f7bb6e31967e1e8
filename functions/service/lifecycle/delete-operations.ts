/** Deletion of a job's operations. */
import { loadOperationGuids } from "../operations/operation-history.ts";
import type { Organization } from "../organizations/organization.ts";
import { deleteFiles, deleteRecords } from "../runs/erase-job-data.ts";
import { type JobRecord, jobKey, operationKey } from "../runs/job-records.ts";
import { settleRun } from "./settle-run.ts";

/** Deletes the operations of a job that is being deleted; their results are among the job's own files. */
export async function deleteOperations(org: Organization, parent: string): Promise<void> {
  const { records } = org;
  for (const guid of await loadOperationGuids(org, parent)) {
    const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
    // An operation that began during the deletion is ended first, so that its steps find their run closed.
    if (job?.openRun) await settleRun(org, guid, job.openRun, "Processing failed: The job was deleted");
    await deleteFiles(org, guid);
    await deleteRecords(org, guid);
    await records.delete(jobKey(guid));
    await records.delete(operationKey({ parent, type: "" }, guid));
  }
}

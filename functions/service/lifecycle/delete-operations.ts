/** Deletion of a job's operations. */
import type { RecordKey } from "../../ports/records.ts";
import { guidsOf, PAGE } from "../operations/operation-history.ts";
import type { Organization } from "../organizations/organization.ts";
import { type JobRecord, jobKey, operationKey } from "../runs/job-records.ts";
import { settleRun } from "./settle-run.ts";

/** Deletes the operations of a job that is being deleted; their results go with the job's own files. */
export async function removeOperations(org: Organization, parent: string): Promise<void> {
  const { records } = org;
  for (const guid of await guidsOf(org, parent)) {
    const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
    // One that began beside the deletion is ended first: its steps find their run closed.
    if (job?.openRun) await settleRun(org, guid, job.openRun, "Processing failed: The job was deleted");
    let page: Awaited<ReturnType<typeof org.blobs.list>>;
    do {
      page = await org.blobs.list(`jobs/${guid}/`, { limit: PAGE });
      for (const { key } of page.blobs) await org.blobs.delete(key);
    } while (page.cursor !== undefined);
    const { items } = await records.query({ partition: `job/${guid}`, prefix: "run/", limit: PAGE });
    for (const { key } of items) await records.delete(key);
    await records.delete(jobKey(guid));
    const note: RecordKey = operationKey({ parent, type: "" }, guid);
    await records.delete(note);
  }
}

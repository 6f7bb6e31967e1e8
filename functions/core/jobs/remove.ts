/** Deletion: the job is gone for readers in one write; its files and records follow, by the queue or by the sweep. */
import { ConditionFailed, Conflict } from "../errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { handOver } from "../work/work.ts";
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
    job = current;
    return { job: { ...current, deleted: true }, more: [{ kind: "due-put", id: deletionId(guid), value: due }] };
  });
  if (job !== undefined) await records.delete(entryKey(job));
  await handOver(org, { kind: "delete-job", guid });
  // Its address may still take a file, which nobody would find any more.
  if (job?.upload !== undefined) await handOverUpload(org, guid, job.upload);
  org.observer.count("jobs_deleted_total");
}

/** Carries a begun deletion to its end; again, or twice at once, is harmless. */
export async function finishDeletion(org: Organization, guid: string): Promise<void> {
  const { records } = org;
  let page: Awaited<ReturnType<typeof org.blobs.list>>;
  do {
    page = await org.blobs.list(`jobs/${guid}/`, { limit: 1000 });
    for (const { key } of page.blobs) await org.blobs.delete(key);
  } while (page.cursor !== undefined);
  const job = (await records.get<JobRecord>(jobKey(guid)))?.value;
  // A run in chunks leaves more than one page of records.
  for (let more = true; more; ) {
    const { items, cursor } = await records.query({ partition: `job/${guid}`, prefix: "run/", limit: 1000 });
    for (const { key } of items) await records.delete(key);
    more = cursor !== undefined;
  }
  if (job === undefined) return;
  try {
    await records.transact([
      { kind: "delete", key: jobKey(guid), condition: { ifPresent: true } },
      { kind: "delete", key: entryKey(job) },
      { kind: "due-delete", id: deletionId(guid) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

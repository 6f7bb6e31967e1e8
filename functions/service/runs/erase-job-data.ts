/** Deletion of a job's files and records; safe to repeat, also concurrently. */
import type { Organization } from "../organizations/organization.ts";
import { filesOf } from "./job-records.ts";

const PAGE_SIZE = 1000;

/** Deletes all files of a job. */
export const deleteFiles = (org: Organization, guid: string): Promise<void> => deleteFilesBelow(org, filesOf(guid));

/** Deletes all files whose keys begin with a prefix, and gives back what they take of the quota. */
export async function deleteFilesBelow(org: Organization, prefix: string): Promise<void> {
  for (;;) {
    const { blobs } = await org.blobs.list(prefix, { limit: PAGE_SIZE });
    if (blobs.length === 0) break;
    for (const { key } of blobs) await org.blobs.delete(key);
  }
  // An announced upload may never have come.
  await org.storedFiles.releaseBelow(prefix);
}

/** Deletes all records of a job but the job itself. */
export async function deleteRecords(org: Organization, guid: string): Promise<void> {
  for (;;) {
    const { items } = await org.records.query({ partition: `job/${guid}`, prefix: "run/", limit: PAGE_SIZE });
    if (items.length === 0) return;
    for (const { key } of items) await org.records.delete(key);
  }
}

/** What deletions are made of; all of it may be done again, and by several at once. */
import type { Organization } from "../organizations/organization.ts";

const PAGE = 1000;

/** Deletes all files of a job. */
export async function eraseFiles(org: Organization, guid: string): Promise<void> {
  for (;;) {
    const { blobs } = await org.blobs.list(`jobs/${guid}/`, { limit: PAGE });
    if (blobs.length === 0) return;
    for (const { key } of blobs) await org.blobs.delete(key);
  }
}

/** Deletes all records of a job but the job itself. */
export async function eraseRecords(org: Organization, guid: string): Promise<void> {
  for (;;) {
    const { items } = await org.records.query({ partition: `job/${guid}`, prefix: "run/", limit: PAGE });
    if (items.length === 0) return;
    for (const { key } of items) await org.records.delete(key);
  }
}

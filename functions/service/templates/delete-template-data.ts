/** Deletion of a template's files and records, once its name is free; safe to repeat, also concurrently. */
import type { RecordKey } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { deleteFilesBelow } from "../runs/erase-job-data.ts";
import {
  deletionDue,
  detectionDue,
  filesOf,
  REVISION_PREFIX,
  type TemplateRevision,
  templatePartition,
} from "./template-records.ts";

const PAGE_SIZE = 1000;

/** Deletes a revision: its record last, as its files are found by it. */
async function deleteRevision(org: Organization, key: RecordKey, { guid }: TemplateRevision): Promise<void> {
  await deleteFilesBelow(org, filesOf(guid));
  await org.records.transact([
    { kind: "delete", key },
    { kind: "due-delete", id: detectionDue(guid) },
  ]);
}

/** @param guid of the template */
export async function deleteTemplateData(org: Organization, guid: string): Promise<void> {
  for (;;) {
    const query = { partition: templatePartition(guid), limit: PAGE_SIZE };
    const { items } = await org.records.query<TemplateRevision>(query);
    if (items.length === 0) break;
    for (const { key, value } of items) {
      if (key.sort.startsWith(REVISION_PREFIX)) await deleteRevision(org, key, value);
      else await org.records.delete(key);
    }
  }
  // The pictures of a template are among the files of its own GUID.
  await deleteFilesBelow(org, filesOf(guid));
  await org.records.transact([{ kind: "due-delete", id: deletionDue(guid) }]);
}

/** Deletion of a batch's documents, in goes that the next delivery or the sweep continues. */

import type { Organization } from "../organizations/organization.ts";
import { deleteFiles, deleteRecords } from "../runs/erase-job-data.ts";
import { jobKey } from "../runs/job-records.ts";
import { type BatchDocument, documentKey } from "./batch-records.ts";
import { documentsOf } from "./batches.ts";

/** Documents of one go: what a queue's consumer does well within its time. */
const GO = 500;
const AT_ONCE = 16;

/** Deletes what there is of a batch's documents. @returns whether none are left */
export async function removeDocuments(org: Organization, guid: string): Promise<boolean> {
  const found: BatchDocument[] = [];
  for await (const document of documentsOf(org, guid)) if (found.push(document) > GO) break;
  const queue = found.slice(0, GO).values();
  const worker = async (): Promise<void> => {
    for (const { guid: document, index } of queue) {
      await deleteFiles(org, document);
      await deleteRecords(org, document);
      await org.records.delete(jobKey(document));
      // Last: who comes again finds its job by it.
      await org.records.delete(documentKey(guid, index));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return found.length <= GO;
}

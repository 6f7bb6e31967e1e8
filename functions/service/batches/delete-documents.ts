/** Deletion of a batch's documents in parts; the next delivery or the sweep continues. */

import type { Organization } from "../organizations/organization.ts";
import { deleteFiles, deleteRecords } from "../runs/erase-job-data.ts";
import { jobKey } from "../runs/job-records.ts";
import { type BatchDocument, documentKey } from "./batch-records.ts";
import { loadDocuments } from "./batches.ts";

/** Documents deleted by one call, well within the time of a queue's consumer. */
const MAX_DELETED_DOCUMENTS = 500;
const MAX_CONCURRENT_DELETIONS = 16;

/** Deletes a part of a batch's documents. @returns true when none are left */
export async function deleteDocuments(org: Organization, guid: string): Promise<boolean> {
  const found: BatchDocument[] = [];
  for await (const document of loadDocuments(org, guid)) if (found.push(document) > MAX_DELETED_DOCUMENTS) break;
  const queue = found.slice(0, MAX_DELETED_DOCUMENTS).values();
  const worker = async (): Promise<void> => {
    for (const { guid: document, index } of queue) {
      await deleteFiles(org, document);
      await deleteRecords(org, document);
      await org.records.delete(jobKey(document));
      // Deleted last, as a repeated call finds the document's job by it.
      await org.records.delete(documentKey(guid, index));
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_DELETIONS }, worker));
  return found.length <= MAX_DELETED_DOCUMENTS;
}

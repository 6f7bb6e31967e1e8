/** The passages of documents as they are stored: cut once a document, whatever happens to the index. */
import { passagesTask } from "../../engine/tasks/passages.ts";
import { AppError } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { queryAll } from "../../ports/records.ts";
import { loadCaseLayout } from "../cases/case-documents.ts";
import { MAX_CASE_DOCUMENTS } from "../cases/case-places.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";
import {
  knowledgePartition,
  PASSAGES_PREFIX,
  type PassagesRecord,
  passagesFile,
  passagesKey,
  termsFile,
} from "./knowledge-records.ts";

/**
 * Most milliseconds of cutting one document: 50 pages take 25 (npm run bench -- search), a thousand pages half a second.
 */
const MAX_CUT_MS = 9_000;

const JSON_LINES = { contentType: "application/x-ndjson", later: false };

/** The documents of a case whose passages are stored, or were about to be. */
export async function listStored(org: Organization, caseId: number): Promise<PassagesRecord[]> {
  const query = { partition: knowledgePartition(caseId), prefix: PASSAGES_PREFIX, limit: MAX_CASE_DOCUMENTS };
  const stored: PassagesRecord[] = [];
  for await (const { value } of queryAll<PassagesRecord>(org.records, query)) stored.push(value);
  return stored;
}

/**
 * Cuts a document into passages and stores them; safe to repeat. A document that cannot be cut has none, so that it does
 * not keep the others from being found. @throws AppError of the service (retryable)
 */
export async function storePassages(org: Organization, caseId: number, documentId: string): Promise<void> {
  const key = passagesKey(caseId, documentId);
  const record: PassagesRecord = { v: 1, documentId };
  await org.records.put(key, record);
  const layout = await loadCaseLayout(org, caseId, documentId);
  // The document is being removed; its own event follows.
  if (layout === undefined) return;
  const files = await cut(org, layout);
  await org.blobs.put(passagesFile(caseId, documentId), files.passages, JSON_LINES);
  await org.blobs.put(termsFile(caseId, documentId), files.terms, JSON_LINES);
  await org.records.put(key, { ...record, passages: files.count });
}

async function cut(
  org: Organization,
  layout: Uint8Array,
): Promise<{ passages: Uint8Array; terms: Uint8Array; count: number }> {
  try {
    return await org.engines.documents.run(passagesTask, { layout }, callLimits(org, MAX_CUT_MS));
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable) throw error;
    org.observer.log("error", "document not cut into passages", describeError(error));
    const nothing = new Uint8Array();
    return { passages: nothing, terms: nothing, count: 0 };
  }
}

/** Deletes the passages of a document. */
export async function deletePassages(org: Organization, caseId: number, documentId: string): Promise<void> {
  await org.blobs.delete(passagesFile(caseId, documentId));
  await org.blobs.delete(termsFile(caseId, documentId));
  await org.records.delete(passagesKey(caseId, documentId));
}

/** The documents of a case: looking them up, in pages and one by one. */
import { NotFound } from "../../ports/errors.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type CaseDocumentState, casePartition, STATE_PREFIX, stateKey } from "../runs/case-place.ts";
import { documentCount, loadPlaces, MAX_CASE_DOCUMENTS } from "./case-places.ts";
import {
  type CaseDocument,
  DOCUMENT_PREFIX,
  documentKey,
  SUMMARY_PREFIX,
  type SummaryRecord,
  summaryKey,
} from "./case-records.ts";
import { loadCase } from "./cases.ts";

/** A document with how far its reading is. */
export interface ReadCaseDocument {
  document: CaseDocument;
  state: CaseDocumentState;
}

export interface CaseDocumentPage {
  documents: ReadCaseDocument[];
  /** Documents of the case. */
  total: number;
}

const unknownDocument = (caseId: number, documentId: string): NotFound =>
  new NotFound(`Case ${caseId} has no document ${documentId}`);

/** Finds a document of a case that is known to exist. */
export async function findCaseDocument(
  { records }: Organization,
  caseId: number,
  documentId: string,
): Promise<ReadCaseDocument | undefined> {
  const [document, state] = await Promise.all([
    records.get<CaseDocument>(documentKey(caseId, documentId)),
    records.get<CaseDocumentState>(stateKey(caseId, documentId)),
  ]);
  return document && state && { document: document.value, state: state.value };
}

/** @throws NotFound for an unknown case or document */
export async function loadCaseDocument(
  org: Organization,
  caseId: number,
  documentId: string,
): Promise<ReadCaseDocument> {
  await loadCase(org, caseId);
  const found = await findCaseDocument(org, caseId, documentId);
  if (found === undefined) throw unknownDocument(caseId, documentId);
  return found;
}

/**
 * Loads a page of a case's documents, in the order of their uploads. It reads the small states up to the page, and the
 * documents of the page alone.
 * @param page from 0 @throws NotFound
 */
export async function listCaseDocuments(
  org: Organization,
  caseId: number,
  { page, size }: { page: number; size: number },
): Promise<CaseDocumentPage> {
  await loadCase(org, caseId);
  const total = documentCount(await loadPlaces(org, caseId));
  const last = Math.min(MAX_CASE_DOCUMENTS, (page + 1) * size);
  if (page * size >= last) return { documents: [], total };
  const query = { partition: casePartition(caseId), prefix: STATE_PREFIX, limit: last };
  const { items } = await org.records.query<CaseDocumentState>(query);
  const states = items.slice(page * size).map(({ value }) => value);
  const found = await Promise.all(
    states.map(async (state) => {
      const document = await org.records.get<CaseDocument>(documentKey(caseId, state.documentId));
      // Removed meanwhile.
      return document === undefined ? [] : [{ document: document.value, state }];
    }),
  );
  return { documents: found.flat(), total };
}

/** Lists the documents of a case that were read, with the blobs of their layouts, in the order of their uploads. */
export async function* readDocuments(
  org: Organization,
  caseId: number,
): AsyncGenerator<{ documentId: string; layoutKey: string }> {
  const query = { partition: casePartition(caseId), prefix: STATE_PREFIX, limit: MAX_CASE_DOCUMENTS };
  for await (const { value } of queryAll<CaseDocumentState>(org.records, query)) {
    const { documentId, layoutKey } = value;
    if (layoutKey !== undefined) yield { documentId, layoutKey };
  }
}

/**
 * Loads the layout of a case's document, as it was read at its upload.
 * @returns UTF-8 JSON (engine/layout/layout-file.ts); undefined for a document that was not read, or is gone
 */
export async function loadCaseLayout(
  org: Organization,
  caseId: number,
  documentId: string,
): Promise<Uint8Array | undefined> {
  const state = await org.records.get<CaseDocumentState>(stateKey(caseId, documentId));
  const key = state?.value.layoutKey;
  return key === undefined ? undefined : org.blobs.get(key);
}

/** Loads a document's summary. @throws NotFound for an unknown document, and while there is no summary */
export async function loadSummary(org: Organization, caseId: number, documentId: string): Promise<SummaryRecord> {
  const { state } = await loadCaseDocument(org, caseId, documentId);
  const summary = await org.records.get<SummaryRecord>(summaryKey(caseId, documentId));
  if (summary !== undefined) return summary.value;
  throw new NotFound(
    state.status === "PENDING" || state.status === "PROCESSING"
      ? `Document ${documentId} has no summary yet; its processingStatus is ${state.status}`
      : `Document ${documentId} has no summary; GET /job/status/${documentId} says how its reading ended`,
  );
}

/** Lists the summaries of a case, in the order of uploads. @throws NotFound */
export async function listSummaries(org: Organization, caseId: number): Promise<SummaryRecord[]> {
  await loadCase(org, caseId);
  const summaries: SummaryRecord[] = [];
  const query = { partition: casePartition(caseId), prefix: SUMMARY_PREFIX, limit: MAX_CASE_DOCUMENTS };
  for await (const { value } of queryAll<SummaryRecord>(org.records, query)) summaries.push(value);
  return summaries;
}

/** GUIDs of all documents of a case, also of one that is deleted. @param limit most of them */
export async function documentIds(org: Organization, caseId: number, limit: number): Promise<string[]> {
  const { items } = await org.records.query({ partition: casePartition(caseId), prefix: DOCUMENT_PREFIX, limit });
  return items.map(({ key }) => key.sort.slice(DOCUMENT_PREFIX.length));
}

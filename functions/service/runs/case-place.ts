/**
 * The place of a document in its case, on the document's job, and the record of how far its reading is. It stands here as
 * runs write it when they begin and end.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";

/** Set on the job of a case's document. No list of jobs shows it, and retention keeps it. */
export interface CasePlace {
  /** The case's id. */
  id: number;
  /** Set once a run has read the document; later runs change nothing in the case. */
  read?: true;
  /** The document has left its case, and its job is being deleted. */
  removed?: true;
}

export const CASE_DOCUMENT_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"] as const;
export type CaseDocumentStatus = (typeof CASE_DOCUMENT_STATUSES)[number];

/**
 * What changes of a case's document. It is small, as the pages of a case's list are found by it: the facts of the
 * document (service/cases/case-records.ts) have a record of their own.
 */
export interface CaseDocumentState extends RecordValue {
  v: 1;
  /** GUID of the document and of its job. */
  documentId: string;
  status: CaseDocumentStatus;
  /** ISO 8601, UTC. */
  updatedAt: string;
  /** Blob of the layout, once the document was read. */
  layoutKey?: string;
  /** Media type that the document was read as. */
  contentType?: string;
}

export const casePartition = (caseId: number): string => `case/${caseId}`;
export const STATE_PREFIX = "state/";
/** GUIDs are in the order of time, so that states are in the order of uploads. */
export const stateKey = (caseId: number, documentId: string): RecordKey => ({
  partition: casePartition(caseId),
  sort: STATE_PREFIX + documentId,
});

/** A job with the place of its document. */
interface PlacedJob {
  guid: string;
  case?: CasePlace;
}

/** True while runs of the job tell its case how far the reading is. */
export const awaitsReading = ({ case: place }: PlacedJob): boolean =>
  place !== undefined && place.read !== true && place.removed !== true;

/** The operation that tells a case how far the reading of a document is; none for other jobs. */
export function stateOperations(job: PlacedJob, state: Omit<CaseDocumentState, "v" | "documentId">): OrgOperation[] {
  const { guid: documentId, case: place } = job;
  if (place === undefined || !awaitsReading(job)) return [];
  return [{ kind: "put", key: stateKey(place.id, documentId), value: { v: 1, documentId, ...state } }];
}

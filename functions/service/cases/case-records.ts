/**
 * Records of cases. Partition `cases`: the cases, by id. Partition `case/{id}`, by prefix of the sort: `document/`, the
 * facts of each document, which never change; `state/`, how far its reading is; `summary/`, its summary; `places/`, the
 * free places of the case. A document's GUID is that of its job, whose files are the document's (runs/job-records.ts).
 */
import type { Json } from "../../ports/json.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import { casePartition } from "../runs/case-place.ts";

export interface CaseRecord extends RecordValue {
  v: 1;
  id: number;
  name: string;
  description: string | null;
  /** Id of the API key that made it. */
  userId: string;
  isKnowledgeBase: boolean;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** Facts of a document, as it was uploaded. */
export interface CaseDocument extends RecordValue {
  v: 1;
  /** Number of the document in the organization. */
  id: number;
  caseId: number;
  /** GUID of the document, and of its job. */
  documentId: string;
  fileName: string | null;
  contentType: string;
  sizeBytes: number;
  metadata: { [name: string]: Json };
  createdAt: string;
  /** Group of places that it takes one of. */
  placeGroup: number;
}

/** What a summary says; shown as it is. */
export interface DocumentSummary {
  document_type: string;
  title: string;
  summary: string;
  key_facts: string[];
}

export interface SummaryRecord extends RecordValue {
  v: 1;
  documentId: string;
  fileName: string | null;
  summary: DocumentSummary;
}

/** A group of free places of a case; it exists exactly as long as the case. */
export interface PlacesRecord extends RecordValue {
  places: number;
}

/** The due record of a case whose documents are to be deleted. */
export interface DueCaseDeletion extends RecordValue {
  v: 1;
  kind: "delete-case";
  organizationId: number;
  /** The case's id, as text. */
  guid: string;
}

/** The due record of a document that a client sends by a presigned PUT. */
export interface DueCaseUpload extends RecordValue {
  v: 1;
  kind: "case-upload";
  organizationId: number;
  /** Of the document. */
  guid: string;
  caseId: number;
  /** ISO 8601; end of the PUT's validity. */
  expiresAt: string;
}

export const CASES_PARTITION = "cases";
/** Digits of the largest id: keys are in the order of ids. */
const ID_DIGITS = 16;
export const caseKey = (id: number): RecordKey => ({
  partition: CASES_PARTITION,
  sort: String(id).padStart(ID_DIGITS, "0"),
});
/** Number of cases, counted down from 0 so that a floor limits it. */
export const caseCountKey: RecordKey = { partition: "case-count", sort: "cases" };
/** Names the case that a repeated request has made already. */
export const caseRequestKey = (guid: string): RecordKey => ({ partition: "case-requests", sort: guid });

export const DOCUMENT_PREFIX = "document/";
export const documentKey = (caseId: number, documentId: string): RecordKey => ({
  partition: casePartition(caseId),
  sort: DOCUMENT_PREFIX + documentId,
});
export const SUMMARY_PREFIX = "summary/";
export const summaryKey = (caseId: number, documentId: string): RecordKey => ({
  partition: casePartition(caseId),
  sort: SUMMARY_PREFIX + documentId,
});
export const PLACES_PREFIX = "places/";
export const placesKey = (caseId: number, group: number): RecordKey => ({
  partition: casePartition(caseId),
  sort: PLACES_PREFIX + String(group),
});

export const caseDeletionDue = (caseId: number): string => `${caseId}/delete-case`;
export const uploadDue = (documentId: string): string => `${documentId}/case-upload`;

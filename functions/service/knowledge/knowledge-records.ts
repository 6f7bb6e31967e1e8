/**
 * Records of knowledge bases: cases whose documents are searched. Partition `knowledge/{caseId}`: `index`, the state of
 * its index; `document/`, a record for each document whose passages are stored. Files below `knowledge/{caseId}/`: the
 * passages and the terms of each document, which never change, and the index, which each change writes anew.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";

/** The state of an index. */
export interface IndexRecord extends RecordValue {
  v: 1;
  /** GUID of the newest file; absent while there is none. */
  file?: string;
  /** GUIDs of the documents in it. */
  documents: string[];
  /** Files that were replaced, or that a change was to write: each is deleted by a later change. */
  stale: string[];
}

/** A document whose files are stored, or are about to be: it is written before them, so that none is forgotten. */
export interface PassagesRecord extends RecordValue {
  v: 1;
  documentId: string;
  /** Number of passages, once the files are there. */
  passages?: number;
}

/** Due work: the index of a case is to follow its documents. */
export interface DueIndexing extends RecordValue {
  v: 1;
  kind: "index-knowledge";
  organizationId: number;
  /** GUID of the document that is new or gone; the case's id, as text, where the case itself has changed. */
  guid: string;
  caseId: number;
}

export const knowledgePartition = (caseId: number): string => `knowledge/${caseId}`;
export const indexKey = (caseId: number): RecordKey => ({ partition: knowledgePartition(caseId), sort: "index" });
export const PASSAGES_PREFIX = "document/";
export const passagesKey = (caseId: number, documentId: string): RecordKey => ({
  partition: knowledgePartition(caseId),
  sort: PASSAGES_PREFIX + documentId,
});

export const indexingDue = (guid: string): string => `${guid}/index-knowledge`;

/** The number in the names of files changes with the form of passages and terms. */
const filesOf = (caseId: number): string => `knowledge/${caseId}/`;
export const passagesFile = (caseId: number, documentId: string): string =>
  `${filesOf(caseId)}${documentId}/passages-1.jsonl`;
export const termsFile = (caseId: number, documentId: string): string =>
  `${filesOf(caseId)}${documentId}/terms-1.jsonl`;
export const indexFile = (caseId: number, file: string): string => `${filesOf(caseId)}index/${file}`;

/**
 * Records of a batch beside its job, in the batch's partition `job/{guid}`. `document/{index}` names a document's job;
 * `run/{run}/document/{index}` holds a document's status in a run; `run/{run}/count/{shard}` holds running sums.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import { artifactKey, type JobStatus } from "../runs/job-records.ts";

/** Most documents of a batch. */
export const MAX_DOCUMENTS = 10_000;

export interface BatchDocument extends RecordValue {
  v: 1;
  index: number;
  /** GUID of the document's job. */
  guid: string;
  fileName: string | null;
}

/** Status of a document in one run: PROCESSING from the opening of its own run to its end. */
export interface DocumentOutcome extends RecordValue {
  v: 1;
  index: number;
  guid: string;
  status: JobStatus;
  error: string | null;
  resultKey?: string;
  resultType?: string;
}

/** Counts of an open run. */
export interface RunCounts {
  started: number;
  completed: number;
  failed: number;
  cancelled: number;
  ocrPages: number;
  llmTokens: number;
  /** Prepaid tokens that they cost. */
  tokens: number;
}

/**
 * Counter shards of a run: documents that end concurrently add to different records, as they would contend for a single
 * one.
 */
const COUNT_SHARDS = 32;

const padded = (number: number, digits: number): string => String(number).padStart(digits, "0");
const runRecordKey = (guid: string, run: number, rest: string): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${padded(run, 6)}/${rest}`,
});

export const documentKey = (guid: string, index: number): RecordKey => ({
  partition: `job/${guid}`,
  sort: `${DOCUMENT_PREFIX}${padded(index, 5)}`,
});
/** Sort prefix of a batch's documents. */
export const DOCUMENT_PREFIX = "document/";
/** With index "": the sort prefix of all documents of a run. */
export const outcomeKey = (guid: string, run: number, index: number | ""): RecordKey =>
  runRecordKey(guid, run, `document/${index === "" ? "" : padded(index, 5)}`);
/** With index "": the sort prefix of all counters of a run. */
export const countKey = (guid: string, run: number, index: number | ""): RecordKey =>
  runRecordKey(guid, run, `count/${index === "" ? "" : padded(index % COUNT_SHARDS, 2)}`);

/** File that a distributed Map reads: `[{"index":0}, …]`. */
export const listFile = (guid: string, run: number): string => artifactKey(guid, run, "documents.json");
/** File of a run's results in upload order, once it is complete. */
export const resultsFile = (guid: string, run: number): string => artifactKey(guid, run, "result.json");
/** File of an incomplete run's results, made anew for each request. */
export const interimFile = (guid: string, run: number): string => artifactKey(guid, run, "result-so-far.json");

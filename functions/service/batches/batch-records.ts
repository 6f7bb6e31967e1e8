/**
 * Records of a batch beside its job, in the batch's partition `job/{guid}`. `document/{index}` names a document's job;
 * `run/{run}/document/{index}` holds a document's status in a run; `run/{run}/count/{shard}` holds running sums.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import { artifactKey, type JobStatus } from "../runs/job-records.ts";

/** The most documents that a batch holds. */
export const MOST_DOCUMENTS = 10_000;

export interface BatchDocument extends RecordValue {
  v: 1;
  index: number;
  /** Of the document's job. */
  guid: string;
  fileName: string | null;
}

/** How a document stands in one run: PROCESSING from the opening of its own run to that run's end. */
export interface DocumentOutcome extends RecordValue {
  v: 1;
  index: number;
  guid: string;
  status: JobStatus;
  error: string | null;
  resultKey?: string;
  resultType?: string;
}

/** Sums of a run while it goes; all of them are absent until the first document. */
export interface RunCounts {
  started: number;
  completed: number;
  failed: number;
  ocrPages: number;
  llmTokens: number;
}

/**
 * Documents that end at the same moment add to records of their own: one for all would be written a hundred times at
 * once, and each time but one in vain.
 */
const SHARDS = 32;

const padded = (number: number, digits: number): string => String(number).padStart(digits, "0");
const inRun = (guid: string, run: number, rest: string): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${padded(run, 6)}/${rest}`,
});

export const documentKey = (guid: string, index: number): RecordKey => ({
  partition: `job/${guid}`,
  sort: `${DOCUMENTS}${padded(index, 5)}`,
});
/** Begins the sorts of a batch's documents. */
export const DOCUMENTS = "document/";
/** With index "": begins the sorts of all documents of a run. */
export const outcomeKey = (guid: string, run: number, index: number | ""): RecordKey =>
  inRun(guid, run, `document/${index === "" ? "" : padded(index, 5)}`);
/** With index "": begins the sorts of all sums of a run. */
export const countKey = (guid: string, run: number, index: number | ""): RecordKey =>
  inRun(guid, run, `count/${index === "" ? "" : padded(index % SHARDS, 2)}`);

/** What a distributed Map reads: `[{"index":0}, …]`. */
export const listFile = (guid: string, run: number): string => artifactKey(guid, run, "documents.json");
/** A run's results in the order of the uploads, once all are there. */
export const resultsFile = (guid: string, run: number): string => artifactKey(guid, run, "result.json");
/** The same while documents are missing, made anew for whoever asks. */
export const interimFile = (guid: string, run: number): string => artifactKey(guid, run, "result-so-far.json");

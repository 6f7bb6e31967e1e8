/**
 * Records of a job. Partition `job/{guid}`: the job itself, the outcomes of its steps, and the runs that wait for it;
 * `job-list/{yyyy-mm}`: one small entry a job for listing; `job-tally/{shard}`: their numbers by day
 * (job-entries.ts); `usage/{yyyy-mm}`: usage events, which outlive the job. Files are under `jobs/{guid}/`, those of a run under `jobs/{guid}/{run}/`. A batch is a job, and so
 * is each of its documents (service/batches), which no list shows.
 */
import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { ReadingFacts } from "../../engine/readers/reading.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { ProviderUse } from "../../ports/own-providers.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { CasePlace } from "./case-place.ts";
import type { ConfigurationUse } from "./configuration-use.ts";

export const JOB_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "PARTIAL", "CANCELLED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const TERMINAL_STATUSES: ReadonlySet<JobStatus> = new Set(["COMPLETED", "FAILED", "PARTIAL", "CANCELLED"]);

export interface SourceFile {
  key: string;
  /** Bytes. */
  size: number;
  /** Null until the document has arrived. */
  sha256: string | null;
  /** Type of the content; the command's `mimeType` may choose another type that the content allows. */
  mimeType: string;
  fileName: string | null;
  /** Pages that the inspection counted; null or absent: it counted none. */
  pageCount?: number | null;
}

/** A document that a client sends by a presigned PUT, not yet inspected. */
export interface AwaitedUpload {
  /** ISO 8601; end of the PUT's validity. */
  expiresAt: string;
}

/** Facts of a batch, set on its job. */
export interface BatchFacts {
  /** Number of documents; their indexes are 0 to total - 1. */
  total: number;
  /** Documents processed concurrently, unless a run says otherwise. */
  maxConcurrency: number;
  /** Type of documents that declare none. */
  mimeType?: string;
  /** Bytes and counted pages of all documents; absent on batches of an earlier release. */
  bytes?: number;
  pages?: number;
}

/** Place of a document in its batch, set on the document's job. Its runs have the numbers of the batch's runs. */
export interface BatchPlace {
  /** The batch's GUID. */
  guid: string;
  /** From 0, in upload order. */
  index: number;
  /** The document declares its type, so that the batch's default does not apply. */
  declared: boolean;
}

/** Counts of the documents of a batch's run. */
export interface DocumentCounts {
  total: number;
  /** COMPLETED or PARTIAL. */
  completed: number;
  failed: number;
  /** Cancelled runs: documents that had begun and were ended by it. */
  cancelled?: number;
  /** Cancelled runs: documents that had begun; absent: all. */
  begun?: number;
}

/** Parent and type of an operation, set on the operation's job. It has one run, and no list of jobs shows it. */
export interface OperationPlace {
  /** GUID of the job that the operation works on. */
  parent: string;
  type: string;
}

/**
 * MAP_REDUCE: extraction in chunks. PIPELINE: the nodes of a pipeline. ANALYZE, SCHEMA: description of a document, or a
 * schema for it. SUMMARY: a summary of a case's document. BATCH: all documents of a batch. OPERATION: work on the results of another job's run; READ_OPERATION:
 * the same, after the document was read anew.
 */
export type RunMode =
  | "OCR"
  | "SIMPLE"
  | "MAP_REDUCE"
  | "PIPELINE"
  | "ANALYZE"
  | "SCHEMA"
  | "SUMMARY"
  | "BATCH"
  | "OPERATION"
  | "READ_OPERATION";

/** Progress of a map-reduce run's chunks, as the status shows it. */
export interface MapReduceStatus {
  totalChunks: number;
  /** Chunks with an answer; failed ones are not counted. */
  completedChunks: number;
  headerCaptured: boolean;
  stopWhenEmpty: boolean;
  /** The run stopped early, after empty chunks. */
  earlyTerminated: boolean;
  /** Index of the last processed chunk, from 0. */
  terminationChunkIndex: number | null;
  terminationReason: string | null;
}

/**
 * WAITING: for the end of the other job's run; SATISFIED: that run ended, this one may begin; FAILED: it never will.
 */
export type DependencyStatus = "WAITING" | "SATISFIED" | "FAILED" | "CANCELLED";

/** The run of another job that must end before a run begins. */
export interface Dependency {
  guid: string;
  run: number;
  status: DependencyStatus;
}

/** A run as the status shows it, with the keys of its files. */
export interface RunSummary {
  run: number;
  status: JobStatus;
  error: string | null;
  mode: RunMode;
  /** Blob of the RunCommand, JSON. */
  commandKey: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** `offline` or a model's name; null where nothing was extracted. */
  engine: string | null;
  /** OCR mode of the command; a later run of the same or a lower mode reuses the layout. */
  ocr: OcrMode;
  /** All pages were read, as type `readAs`: a later run must match both to reuse the layout. */
  wholeDocument: boolean;
  readAs: string;
  sourceLocations: boolean;
  /** A password is sealed beside the run until its end. */
  hasPassword?: true;
  /** The saved configuration that it was asked for by. */
  configuration?: ConfigurationUse;
  /** The organization's own providers that it asks in place of the service's. */
  providers?: ProviderUse;
  idempotencyKey?: string;
  dependsOn?: Dependency;
  layoutKey?: string;
  qualityKey?: string;
  barcodesKey?: string;
  figuresKey?: string;
  acroFormKey?: string;
  /** Operations that make a form: the PDF, and the definitions of its fields. */
  formKey?: string;
  definitionsKey?: string;
  traceKey?: string;
  /** Faults of a PARTIAL run's result. */
  validationErrors?: { pointer: string; message: string }[];
  mapReduce?: MapReduceStatus;
  /** Rows on the pages and in the result; the list of missing rows is kept for the newest run only. */
  receipt?: Receipt;
  resultKey?: string;
  resultType?: string;
  sourcesKey?: string;
  confidence?: number | null;
  facts?: ReadingFacts;
  /** Pages that recognition was to read, and did not; a later run recognises them. Absent for none. */
  unreadPages?: number;
  /** How a model's extraction ran; absent where none did, in chunks and before the end. */
  extraction?: "SIMPLE" | "STEPS";
  /** Batch runs: number of documents and, once it has ended, of completed and failed ones. */
  documents?: DocumentCounts & { maxConcurrency: number };
  /** Batch runs: mode of its documents' runs. */
  documentMode?: RunMode;
  /** Batch runs: set once it is being cancelled; it ends CANCELLED however its documents end. */
  cancelling?: true;
  /** Batch runs that ended early: the error of the documents that were not begun. */
  unfinished?: string;
  /** How the run is paid for. Absent: it is not. */
  billing?: RunBilling;
}

export interface JobRecord extends RecordValue {
  v: 1;
  guid: string;
  status: JobStatus;
  error: string | null;
  createdAt: string;
  updatedAt: string;
  /** While the upload is awaited: size and type as declared. */
  source: SourceFile;
  upload?: AwaitedUpload;
  /** Oldest first; at most MAX_RUNS of them are kept. */
  runs: RunSummary[];
  /** Number of the newest run; 0 before the first. */
  lastRun: number;
  openRun: number | null;
  tokenCount: number;
  ocrPages: number;
  llmTokens: number;
  /** Grows with every change of status. */
  statusVersion: number;
  /** Set for a batch. */
  documents?: BatchFacts;
  /** Set for a document of a batch. */
  batch?: BatchPlace;
  /** Set for a document of a case. */
  case?: CasePlace;
  /** Set for an operation. Its source is its parent's. */
  operation?: OperationPlace;
  /** Set during deletion: the job is hidden from every reader. */
  deleted?: true;
  /** The job's list entry is counted. Absent on jobs of an earlier release until they change. */
  tallied?: true;
}

export const MAX_KEPT_RUNS = 50;

export interface JobEntry extends RecordValue {
  v: 1;
  guid: string;
  status: JobStatus;
  createdAt: string;
  updatedAt: string;
}

/** The due record of an open run: writes of the run require it, and the sweep finds the run by it. */
export interface OpenRun extends RecordValue {
  v: 1;
  kind: "run";
  organizationId: number;
  guid: string;
  run: number;
  mode: RunMode;
  createdAt: string;
  /** Milliseconds since 1970; null until the first step begins. */
  deadline: number | null;
  /** Set while the run waits for another job: it has not been started. */
  waiting?: true;
  /** Milliseconds since 1970, before which a postponed run does not start. */
  startAt?: number;
  /** Operations within a pipeline: id of the parent's run whose step does the work. */
  within?: string;
  /** The run of a batch's document; the batch's run is counted as open in its place. */
  ofBatch?: true;
  /** Batch runs: the run is being cancelled, and no more of its documents begin. */
  cancelling?: true;
}

export interface OpenDeletion extends RecordValue {
  v: 1;
  kind: "delete";
  organizationId: number;
  guid: string;
}

/** A run that waits for this job; stored beside the job. */
export interface Dependent extends RecordValue {
  v: 1;
  guid: string;
  run: number;
}

/** Recorded outcome of a step: its output, or its final failure. */
export interface StepOutcome extends RecordValue {
  v: 1;
  step: string;
  outcome: "done" | "failed";
  output?: Record<string, unknown>;
  sentence?: string;
}

/** A usage event, with the specification's member names. */
export interface UsageEvent extends RecordValue {
  v: 1;
  event_type: "llm" | "ocr";
  unit: "token" | "page";
  quantity: number;
  llm_tier: string | null;
  provider_key: string;
  billing_exempt: boolean;
  guid: string;
  run: number;
  createdAt: string;
  /** GUID of the batch that the document belongs to. */
  batchGuid?: string;
  /** What it costs, where usage is billed or its tokens recorded. */
  tokens?: number;
}

/** Id of the due record of a deletion. */
export const deletionId = (guid: string): string => `${guid}/delete`;
export const runId = (guid: string, run: number): string => `${guid}/${run}`;
export const executionName = (guid: string, run: number): string => `${guid}-${run}`;

export const jobKey = (guid: string): RecordKey => ({ partition: `job/${guid}`, sort: "job" });
export const stepKey = (guid: string, run: number, step: string): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${String(run).padStart(6, "0")}/step/${step}`,
});

/** Sort prefix of the runs that wait for a job. */
export const DEPENDENT_PREFIX = "dependent/";
export const dependentKey = (parent: string, guid: string, run: number): RecordKey => ({
  partition: `job/${parent}`,
  sort: `${DEPENDENT_PREFIX}${runId(guid, run)}`,
});
/** Files of an operation: its result, and those of a form. */
export const OPERATION_FILES = {
  result: "result.json",
  sent: "sent-definitions.json",
  found: "found-definitions.json",
  definitions: "definitions.json",
  metadata: "acroform.json",
  form: "form.pdf",
} as const;
export type OperationFile = keyof typeof OPERATION_FILES;

/** Key of the note of an operation beside its parent; ordered by time, as GUIDs are. */
export const operationKey = ({ parent }: OperationPlace, guid: string): RecordKey => ({
  partition: `job/${parent}`,
  sort: `operation/${guid}`,
});
/** Blobs of an operation, among its parent's files. */
export const operationFileKey = (parent: string, guid: string, name: OperationFile): string =>
  `jobs/${parent}/operations/${guid}/${OPERATION_FILES[name]}`;

/** `yyyy-mm` of a time in ISO 8601. */
export const monthOf = (iso: string): string => iso.slice(0, 7);
export const usageKey = (event: UsageEvent): RecordKey => ({
  partition: `usage/${monthOf(event.createdAt)}`,
  sort: `${event.guid}/${String(event.run).padStart(6, "0")}/${event.event_type}-${event.llm_tier === null ? "" : `${event.llm_tier}-`}${event.provider_key}`,
});

/** The prefix of all files of a job. */
export const filesOf = (guid: string): string => `jobs/${guid}/`;
/** Blob of a presigned PUT. Not the document's blob, as the address stays valid for a while. */
export const uploadKey = (guid: string): string => `jobs/${guid}/upload`;
export const sourceKey = (guid: string): string => `jobs/${guid}/source`;
/** Blob of a command, named by its content hash, so that writing it twice is harmless. */
export const commandKey = (guid: string, sha256: string): string => `jobs/${guid}/commands/${sha256.slice(0, 32)}.json`;
export const artifactKey = (guid: string, run: number, name: string): string => `jobs/${guid}/${run}/${name}`;

/**
 * What is stored of a job. Partition `job/{guid}`: the job itself, the outcomes of its steps, and who waits for it; `jobs/{yyyy-mm}`: one
 * small entry a job for listing; `jobs`: the months; `usage/{yyyy-mm}`: usage events, which outlive
 * the job. Files stand under `jobs/{guid}/`, those of a run under `jobs/{guid}/{run}/`. A batch is a job, and so is each
 * of its documents (core/batches), which no list shows.
 */
import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { ReadingFacts } from "../../engine/readers/reading.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";

export const JOB_STATUSES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED", "PARTIAL", "CANCELLED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const TERMINAL: ReadonlySet<JobStatus> = new Set(["COMPLETED", "FAILED", "PARTIAL", "CANCELLED"]);

export interface SourceFile {
  key: string;
  /** Bytes. */
  size: number;
  /** Null until the document is there. */
  sha256: string | null;
  /** What the content is; the command's `mimeType` may choose another among what it can be. */
  mimeType: string;
  fileName: string | null;
}

/** A document that a client is to bring by a presigned PUT, and that nobody has looked at yet. */
export interface AwaitedUpload {
  /** ISO 8601; the PUT's address takes nothing after it. */
  expiresAt: string;
}

/** What makes a job a batch. */
export interface BatchFacts {
  /** How many documents it has; their indexes are 0 to total - 1. */
  total: number;
  /** Documents that are worked on at once, unless a run says otherwise. */
  maxConcurrency: number;
  /** Of documents that declare no type of their own. */
  mimeType?: string;
}

/** What makes a job the document of a batch. Its runs have the numbers of the batch's runs. */
export interface BatchPlace {
  /** Of the batch. */
  guid: string;
  /** From 0, in the order of the uploads. */
  index: number;
  /** It said itself what it is, so that no default of the batch is asked. */
  declared: boolean;
}

/** The documents of a batch's run. */
export interface DocumentCounts {
  total: number;
  /** COMPLETED or PARTIAL. */
  completed: number;
  failed: number;
}

/** What makes a job an operation on another. It has one run, and no list of jobs shows it. */
export interface OperationPlace {
  /** The job that it was asked of. */
  parent: string;
  type: string;
}

/**
 * MAP_REDUCE: data by chunks. PIPELINE: what its nodes make. ANALYZE and SCHEMA: what the document is, and a schema for
 * it. BATCH: all documents of a batch. OPERATION: work on what another job's run left.
 */
export type RunMode = "OCR" | "SIMPLE" | "MAP_REDUCE" | "PIPELINE" | "ANALYZE" | "SCHEMA" | "BATCH" | "OPERATION";

/** How far the chunks of a map-reduce run have come, as the status shows it. */
export interface MapReduceStatus {
  totalChunks: number;
  /** Answered; failed ones are not. */
  completedChunks: number;
  headerCaptured: boolean;
  stopWhenEmpty: boolean;
  /** Chunks were left out because those before them were empty. */
  earlyTerminated: boolean;
  /** The last chunk that was looked at, from 0. */
  terminationChunkIndex: number | null;
  terminationReason: string | null;
}

/** WAITING: the run begins when the other job's has ended; SATISFIED: it did; FAILED: it never will. */
export type DependencyStatus = "WAITING" | "SATISFIED" | "FAILED" | "CANCELLED";

/** The run of another job that a run begins after. */
export interface Dependency {
  guid: string;
  run: number;
  status: DependencyStatus;
}

/** A run as the status shows it, with what serving its result needs. */
export interface RunSummary {
  run: number;
  status: JobStatus;
  error: string | null;
  mode: RunMode;
  /** Of the RunCommand, as JSON. */
  commandKey: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** `offline` or a model's name; null where nothing was extracted. */
  engine: string | null;
  /** What the OCR was asked for; a later run that asks for no more reuses the layout. */
  ocr: OcrMode;
  /** Whether all pages were read, and as what type: what a later run must match to reuse the layout. */
  wholeDocument: boolean;
  readAs: string;
  sourceLocations: boolean;
  idempotencyKey?: string;
  dependsOn?: Dependency;
  layoutKey?: string;
  qualityKey?: string;
  barcodesKey?: string;
  figuresKey?: string;
  acroFormKey?: string;
  traceKey?: string;
  /** Of a PARTIAL run: what its result lacks. */
  validationErrors?: { pointer: string; message: string }[];
  mapReduce?: MapReduceStatus;
  /** Rows that the page shows and rows that the result has; which ones are missing, of the newest run only. */
  receipt?: Receipt;
  resultKey?: string;
  resultType?: string;
  sourcesKey?: string;
  confidence?: number | null;
  facts?: ReadingFacts;
  /** Of a batch's run: how many documents it has, and how many of them ended how once it has ended. */
  documents?: DocumentCounts & { maxConcurrency: number };
  /** Of a batch's run: what each of its documents is run as. */
  documentMode?: RunMode;
  /** Of a batch's run: it is being cancelled, however its documents end. */
  cancelling?: true;
  /** Of a batch's run that was cut short: what stands for the documents that it did not come to. */
  unfinished?: string;
}

export interface JobRecord extends RecordValue {
  v: 1;
  guid: string;
  status: JobStatus;
  error: string | null;
  createdAt: string;
  updatedAt: string;
  /** While the upload is awaited: what was declared of it. */
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
  /** Of a batch. */
  documents?: BatchFacts;
  /** Of a document in a batch. */
  batch?: BatchPlace;
  /** Of an operation. Its source is its parent's. */
  operation?: OperationPlace;
  /** Set while a deletion is under way: for every reader the job is gone. */
  deleted?: true;
}

export const MAX_RUNS = 50;

export interface JobEntry extends RecordValue {
  v: 1;
  guid: string;
  status: JobStatus;
  createdAt: string;
  updatedAt: string;
}

/** The due record of an open run: the fence of its writes, and what the sweep finds. */
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
  /** Set while it waits for another job: nothing of it has been started. */
  waiting?: true;
  /** The run of an operation's parent whose step does its work, by its id. */
  within?: string;
  /** Of a batch's document: its batch's run stands for it where open runs are counted. */
  ofBatch?: true;
}

export interface OpenDeletion extends RecordValue {
  v: 1;
  kind: "delete";
  organizationId: number;
  guid: string;
}

/** Beside a job: a run of another that waits for it. */
export interface Dependent extends RecordValue {
  v: 1;
  guid: string;
  run: number;
}

/** What a step left behind: its output, or the failure that is final. */
export interface StepOutcome extends RecordValue {
  v: 1;
  step: string;
  outcome: "done" | "failed";
  output?: Record<string, unknown>;
  sentence?: string;
}

/** A usage event in the specification's words. */
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
  /** The batch whose document the job is. */
  batchGuid?: string;
}

export const runId = (guid: string, run: number): string => `${guid}/${run}`;
export const executionName = (guid: string, run: number): string => `${guid}-${run}`;

export const jobKey = (guid: string): RecordKey => ({ partition: `job/${guid}`, sort: "job" });
export const stepKey = (guid: string, run: number, step: string): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${String(run).padStart(6, "0")}/step/${step}`,
});

/** Begins the sorts of the runs that wait for a job. */
export const DEPENDENTS = "dependent/";
export const dependentKey = (parent: string, guid: string, run: number): RecordKey => ({
  partition: `job/${parent}`,
  sort: `${DEPENDENTS}${runId(guid, run)}`,
});
/** Where a job's operation is noted beside it: in order of time, as GUIDs are. */
export const operationKey = ({ parent }: OperationPlace, guid: string): RecordKey => ({
  partition: `job/${parent}`,
  sort: `operation/${guid}`,
});
/** Where an operation's result lies, among the files of its parent. */
export const operationResultKey = (parent: string, guid: string): string =>
  `jobs/${parent}/operations/${guid}/result.json`;

/** `yyyy-mm` of a time in ISO 8601. */
export const monthOf = (iso: string): string => iso.slice(0, 7);
export const entryKey = (job: Pick<JobRecord, "guid" | "createdAt">): RecordKey => ({
  partition: `jobs/${monthOf(job.createdAt)}`,
  sort: job.guid,
});
export const monthKey = (month: string): RecordKey => ({ partition: "jobs", sort: month });
export const usageKey = (event: UsageEvent): RecordKey => ({
  partition: `usage/${monthOf(event.createdAt)}`,
  sort: `${event.guid}/${String(event.run).padStart(6, "0")}/${event.event_type}-${event.llm_tier === null ? "" : `${event.llm_tier}-`}${event.provider_key}`,
});

export const entryOf = (job: JobRecord): JobEntry => ({
  v: 1,
  guid: job.guid,
  status: job.status,
  createdAt: job.createdAt,
  updatedAt: job.updatedAt,
});

/** Where a presigned PUT goes: never where the document is read from, for its address stays good for a while. */
export const uploadKey = (guid: string): string => `jobs/${guid}/upload`;
export const sourceKey = (guid: string): string => `jobs/${guid}/source`;
/** Named by its content, so that writing it twice is once. */
export const commandKey = (guid: string, sha256: string): string => `jobs/${guid}/commands/${sha256.slice(0, 32)}.json`;
export const artifactKey = (guid: string, run: number, name: string): string => `jobs/${guid}/${run}/${name}`;

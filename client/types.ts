/** The records of the API that this client reads and writes. Answers may have more members. */

import type { Json } from "./json.ts";
import type { MapReduceCommand, SearchTool } from "./map-reduce-types.ts";
import type { PipelineNode } from "./pipeline-types.ts";

/** The last four are terminal. PARTIAL: finished with a shortfall, which the job's `error` explains. */
export type JobStatus = "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED" | "PARTIAL" | "CANCELLED";

const TERMINAL: readonly string[] = ["COMPLETED", "FAILED", "PARTIAL", "CANCELLED"] satisfies JobStatus[];

/** True when a job in this status has ended. */
export const isTerminal = (status: string): boolean => TERMINAL.includes(status);

/** The answer to an upload or a process call. */
export interface UploadAnswer {
  guid: string;
  status: JobStatus;
}

/** The address for a document beyond the service's own limits: a PUT with exactly these headers, and no key. */
export interface UploadTicket {
  guid: string;
  uploadUrl: string;
  method: "PUT";
  headers: Record<string, string>;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

export type OcrMode = "DEFAULT" | "NONE" | "PREMIUM" | "AUTO" | "EXCEL" | "LOW";
export type OcrFormat = "plain" | "markdown" | "jsonl";
export type Granularity = "auto" | "block" | "word";

/** A graph of nodes, as JSON; `pipelines.validate` reports its faults. */
export type PipelineDefinition = { [member: string]: Json };

/** A command for an uploaded document; every member may be absent. */
export interface UploadCommand {
  ocr?: OcrMode | undefined;
  llm?: "DEFAULT" | "NANO" | "MINI" | "HIGH" | undefined;
  extractionMode?: "OCR" | "SIMPLE" | "STEPS" | "PIPELINE" | undefined;
  /** A JSON Schema, as JSON text or as an object; an object without schema keywords is an example. */
  schema?: string | { [member: string]: Json } | undefined;
  prompt?: string | undefined;
  /** Overrides the detected type, within the types that the content can have. */
  mimeType?: string | undefined;
  barcodes?: boolean | undefined;
  describeFigures?: boolean | undefined;
  extractFigures?: boolean | undefined;
  trace?: boolean | undefined;
  /** Page numbers from 1; pages that do not exist are ignored. */
  pageRange?: number[] | undefined;
  /** Opens an encrypted PDF. The service seals it, erases it when the run ends, and never returns it. */
  password?: string | undefined;
  sourceLocations?: boolean | undefined;
  sourceLocationGranularity?: Granularity | undefined;
  acroFormMetadata?: boolean | undefined;
  includeCurrentDate?: boolean | undefined;
  reasoningEffort?: string | undefined;
  /** 0 to 1: a less sure value is null, and its source location names the candidates. */
  minConfidence?: number | undefined;
  /** Searches in knowledge bases, for the model; without one, for the fields that the document leaves null. */
  tools?: readonly SearchTool[] | undefined;
  /** Extracts a long document chunk by chunk. */
  mapReduce?: MapReduceCommand | undefined;
  /** Prepaid tokens that the run may use at most. */
  tokenBudget?: number | undefined;
  /** With the mode PIPELINE, or without a mode: the graph of nodes to run over the document. */
  pipeline?: PipelineDefinition | undefined;
  /** Name of a saved configuration; members beside it win over its members. */
  configuration?: string | undefined;
}

/** A new batch. */
export interface BatchAnswer {
  guid: string;
  maxConcurrency: number;
  totalDocuments: number;
}

/** A document's place in its batch. */
export interface BatchPlace {
  guid: string;
  /** From 0, in the order of the uploads. */
  index: number;
  totalDocuments: number;
}

export interface BatchCommand extends UploadCommand {
  /** The most documents at once, 1 to 100. */
  maxConcurrency?: number | undefined;
}

/**
 * A command to read the text of an uploaded document; without `format`, plain text (JSON lines when `ocr` is EXCEL).
 */
export interface OcrCommand {
  ocr?: OcrMode | undefined;
  format?: OcrFormat | undefined;
  mimeType?: string | undefined;
  /** As in an UploadCommand. */
  password?: string | undefined;
  describeFigures?: boolean | undefined;
  extractFigures?: boolean | undefined;
}

export interface JobRun {
  run: number;
  status: JobStatus;
  startedAt: string | null;
  completedAt: string | null;
  /** `offline` or a model's name; null when nothing was extracted. */
  engine: string | null;
}

export interface JobProgress {
  done: number;
  total: number;
  failed: number;
  phase?: string;
  unit?: string;
}

/** Numbers of the rows on the pages and in the result. */
export interface Receipt {
  expected: number;
  returned: number;
  /** The first hundred missing rows, in the order of the document; boxes in inches. */
  missing: {
    pageNumber: number;
    bbox: { left: number; top: number; right: number; bottom: number };
    text: string;
  }[];
  /** Pages of all missing rows, such as `1-3,7`. */
  missingPages?: string;
  /** A sentence for each list that is empty and uncounted, or that may lack rows. */
  notes?: string[];
  lists?: {
    pointer: string;
    expected: number;
    returned: number;
    counted: boolean;
    restricted?: boolean;
    unplaced?: number;
  }[];
}

/** A job's status record. Times are ISO 8601, UTC. */
export interface ProcessingJob {
  guid: string;
  status: JobStatus;
  /** One sentence when the job failed or fell short. */
  error: string | null;
  /** The next step after an `error` that does not say it. */
  hint?: string;
  createdAt: string;
  updatedAt: string;
  organizationId: number;
  jobType: string;
  jobMode: string;
  operationType: string | null;
  tokenCount: number;
  /** The saved configuration that the newest run used, and its revision. */
  configuration: string | null;
  configurationRevision: number | null;
  isBatch: boolean;
  totalDocs: number;
  completedDocs: number;
  failedDocs: number;
  inProgressDocs: number;
  /** Batches: documents that cancelling the batch ended. */
  cancelledDocuments?: number;
  maxConcurrency: number;
  engine?: string | null;
  /** Overall, 0 to 1. */
  confidence?: number | null;
  progress?: JobProgress;
  usage?: { tokens: number; ocrPages: number; llmTokens: number };
  runs?: JobRun[];
  receipt?: Receipt;
  validationErrors?: { pointer: string; message: string }[];
  /** For a run of a pipeline: the status of its nodes, and the node with the public result. */
  pipeline?: {
    version: string;
    warnings: string[];
    chosenFinal?: string;
    nodes: Omit<PipelineNode, "result" | "sources">[];
  };
}

/** The dependency of a job. */
export interface JobDependency {
  guid: string;
  dependsOnGuid: string | null;
  /** NONE, WAITING, SATISFIED, FAILED or CANCELLED. */
  dependencyStatus: string;
  /** Absent when that job no longer exists. */
  parentJob?: ProcessingJob;
}

/** One page of the list of jobs, newest first; pages count from 0. */
export interface JobPage {
  content: ProcessingJob[];
  pageNumber: number;
  size: number;
  totalSize: number;
  totalPages: number;
  numberOfElements: number;
  offset: number;
  empty: boolean;
  nextCursor?: string | null;
}

export interface JobQuery {
  page?: number | undefined;
  size?: number | undefined;
  status?: JobStatus | undefined;
  /** Such as `createdAt,desc`. */
  sort?: string | undefined;
  /** ISO 8601. */
  createdAtFrom?: string | undefined;
  createdAtTo?: string | undefined;
  cursor?: string | undefined;
}

/** A job's result as the service sent it: `text` is the exact body, `json` its value when it is JSON. */
export type JobResult =
  | { kind: "json"; contentType: string; text: string; json: Json }
  | { kind: "text"; contentType: string; text: string };

/** Edges of a box on its page, to the right and downwards from the page's top left corner. */
export interface PageBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface PageAnchor {
  pageNumber: number;
  unit: "inch" | "point";
  bbox: PageBox;
  polygons: { x: number; y: number }[][];
}

export interface SourceLocation {
  resolution: "word" | "block" | "acroform-field";
  sourceRefs: string[];
  pageAnchors: PageAnchor[];
  /** 0 to 1. */
  confidence: number;
  /** Present for a value of another document, as of a knowledge base: `sourceRefs` and `pageAnchors` are empty then. */
  document?: {
    caseId: number;
    documentId: string;
    filename: string | null;
    sourceRefs: string[];
    pageAnchors: PageAnchor[];
  };
}

/** The source location of each leaf of a result, by JSON Pointer; every leaf is in exactly one of the two. */
export interface SourceLocations {
  version: 1;
  granularity: Granularity;
  pages: { pageNumber: number; width: number; height: number; unit: "inch" | "point" }[];
  locations: Record<string, SourceLocation>;
  unresolved: {
    pointer: string;
    reason: string;
    /** For the reason `unsure`: values that were not sure enough. */
    candidates?: {
      value: Json;
      place?: Pick<SourceLocation, "resolution" | "sourceRefs" | "pageAnchors">;
      confidence: number;
    }[];
  }[];
}

/** The answer of GET /health. */
export interface Health {
  status: string;
  [member: string]: Json;
}

/** The event of a run's end, as sent to a webhook. */
export interface JobEvent {
  type: "job.completed" | "job.partial" | "job.failed" | "job.cancelled";
  /** ISO 8601: the end of the run. */
  timestamp: string;
  jobGuid: string;
  run: number;
  status: JobStatus;
  error: string | null;
  qualityScore: number | null;
  qualityCategory: string | null;
}

export interface WebhookSettings {
  /** Null: no webhook. */
  url: string | null;
  secretCreatedAt: string | null;
  /** Until then the previous secret signs as well. */
  previousSecretExpiresAt: string | null;
  /** Set while nothing is sent, after days of failures; setting the `url` again enables the webhook. */
  disabled: { at: string; failingSince: string; reason: string } | null;
  /** `whsec_…`, only in the answer to the call that made it. */
  secret?: string;
}

export interface WebhookDelivery {
  /** The `webhook-id`. */
  id: string;
  type: string;
  jobGuid: string;
  run: number;
  createdAt: string;
  status: "PENDING" | "DELIVERED" | "FAILED";
  attempts: { at: string; status: number | null; error: string | null; milliseconds: number }[];
  nextTryAt: string | null;
  event: JobEvent;
}

export interface Me {
  id: string;
  email: string | null;
  organizationId: number;
  /** Of the key; absent at services of older releases. */
  scopes?: string[];
}

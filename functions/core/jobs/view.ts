/** What the wire shows of a job: the ProcessingJob record, one shape for every kind of job. */
import type { Organization } from "../organizations/organization.ts";
import { loadTally, progressOfChunks, statusOfChunks } from "./chunks.ts";
import type { JobRecord, MapReduceStatus } from "./model.ts";
import { findProgress, type Progress } from "./progress.ts";
import { findRun } from "./runs.ts";

/** What is noted of the open run beside its job. */
interface Watched {
  progress?: Progress;
  chunks?: MapReduceStatus;
}

/** The record that GET /job/status and GET /job/list answer; what does not apply and is an object is left out. */
export function processingJob(org: Organization, job: JobRecord, watched: Watched = {}): Record<string, unknown> {
  const run = findRun(job, job.lastRun);
  const mode = run?.mode ?? null;
  return {
    guid: job.guid,
    status: job.status,
    error: job.error,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    organizationId: org.id,
    jobType: "DOCUMENT",
    jobMode: mode === "MAP_REDUCE" ? "MAP_REDUCE" : "STANDARD",
    operationType: null,
    extractionMode: mode,
    fileName: job.source.fileName,
    mimeType: job.source.mimeType,
    tokenCount: job.tokenCount,
    dependsOnGuid: null,
    dependencyStatus: "NONE",
    isBatch: false,
    totalDocs: 0,
    completedDocs: 0,
    failedDocs: 0,
    maxConcurrency: 1,
    nextDocIndex: 0,
    inProgressDocs: 0,
    operationStatusVersion: job.statusVersion,
    usage: { tokens: job.tokenCount, ocrPages: job.ocrPages, llmTokens: job.llmTokens },
    engine: run?.engine ?? null,
    confidence: run?.confidence ?? null,
    ...(run?.validationErrors ? { validationErrors: run.validationErrors } : {}),
    ...(mode === "MAP_REDUCE"
      ? { mapReduceStatus: run?.mapReduce ?? watched.chunks ?? statusOfChunks(undefined) }
      : {}),
    ...(run?.receipt ? { receipt: run.receipt } : {}),
    ...qualityOf(run?.facts?.quality),
    runs: job.runs.map(({ run: number, status, startedAt, completedAt, engine }) => ({
      run: number,
      status,
      startedAt,
      completedAt,
      engine,
    })),
    ...(run === undefined || run.completedAt !== null ? {} : { progress: progressOf(run.status, watched.progress) }),
  };
}

const qualityOf = (quality: { score: number; category: string } | undefined): Record<string, unknown> =>
  quality === undefined ? {} : { qualityScore: quality.score, qualityCategory: quality.category };

/** The status with how far the open run has come. */
export async function watchedJob(org: Organization, job: JobRecord): Promise<Record<string, unknown>> {
  return processingJob(org, job, job.status === "PROCESSING" ? await watch(org, job) : {});
}

/** Chunks, once they are known; before that, the reading of pages. */
async function watch(org: Organization, { guid, lastRun, runs }: JobRecord): Promise<Watched> {
  const isChunked = runs.find(({ run }) => run === lastRun)?.mode === "MAP_REDUCE";
  const tally = isChunked ? await loadTally(org, guid, lastRun) : undefined;
  if (tally !== undefined) return { progress: progressOfChunks(tally), chunks: statusOfChunks(tally) };
  const progress = await findProgress(org, guid, lastRun);
  return progress === undefined ? {} : { progress };
}

const progressOf = (status: string, noted?: Progress): Record<string, unknown> => ({
  done: 0,
  total: 1,
  failed: 0,
  phase: status === "PENDING" ? "queued" : "processing",
  unit: "document",
  ...noted,
});

/** What the wire shows of a job: the ProcessingJob record, one shape for every kind of job. */

import type { RunCounts } from "../../batches/batch-records.ts";
import { batchMembers, batchProgress } from "../../batches/batch-status.ts";
import { countDocuments } from "../../batches/document-counts.ts";
import type { Organization } from "../../organizations/organization.ts";
import { loadNodes, progressOfNodes, viewPipeline } from "../../pipelines/node-statuses.ts";
import { chunkProgress, chunkStatus, loadTally } from "../../runs/chunk-outcomes.ts";
import type { JobRecord, MapReduceStatus, RunSummary } from "../../runs/job-records.ts";
import { findRun } from "../../runs/open-run.ts";
import { findProgress, type Progress } from "../../runs/progress-notes.ts";

/** What is noted of the open run beside its job. */
interface Watched {
  progress?: Progress | undefined;
  /** Of a batch's open run. */
  counts?: RunCounts | undefined;
  chunks?: MapReduceStatus;
  /** Of a pipeline, also of one that has ended. */
  pipeline?: Record<string, unknown>;
}

/** The record that GET /job/status and GET /job/list answer; what does not apply and is an object is left out. */
function processingJob(org: Organization, job: JobRecord, watched: Watched): Record<string, unknown> {
  const { counts } = watched;
  const run = findRun(job, job.lastRun);
  const isBatch = job.documents !== undefined;
  const [ocrPages, llmTokens] = [job.ocrPages + (counts?.ocrPages ?? 0), job.llmTokens + (counts?.llmTokens ?? 0)];
  return {
    guid: job.guid,
    status: job.status,
    error: job.error,
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    organizationId: org.id,
    jobType: isBatch ? "BATCH" : "DOCUMENT",
    jobMode: modeOf(job, run?.documentMode ?? run?.mode ?? null),
    operationType: job.operation?.type ?? null,
    ...(job.operation === undefined ? {} : { parentJobGuid: job.operation.parent }),
    extractionMode: isBatch || job.operation !== undefined ? null : (run?.mode ?? null),
    fileName: job.source.fileName,
    mimeType: isBatch ? (job.documents?.mimeType ?? null) : job.source.mimeType,
    tokenCount: job.tokenCount,
    dependsOnGuid: run?.dependsOn?.guid ?? null,
    dependencyStatus: run?.dependsOn?.status ?? "NONE",
    ...batchMembers(job, run, counts),
    operationStatusVersion: job.statusVersion,
    usage: { tokens: job.tokenCount, ocrPages, llmTokens },
    engine: run?.engine ?? null,
    confidence: run?.confidence ?? null,
    ...(run?.validationErrors ? { validationErrors: run.validationErrors } : {}),
    ...(run?.mode === "MAP_REDUCE"
      ? { mapReduceStatus: run?.mapReduce ?? watched.chunks ?? chunkStatus(undefined) }
      : {}),
    ...(run?.receipt ? { receipt: run.receipt } : {}),
    ...(watched.pipeline === undefined ? {} : { pipeline: watched.pipeline }),
    ...qualityOf(run?.facts?.quality),
    runs: job.runs.map(({ run: number, status, startedAt, completedAt, engine }) => ({
      run: number,
      status,
      startedAt,
      completedAt,
      engine,
    })),
    ...(run === undefined || run.completedAt !== null ? {} : { progress: progressOf(run, watched.progress) }),
  };
}

const modeOf = ({ operation }: JobRecord, mode: string | null): string =>
  operation !== undefined ? "OPERATION" : mode === "MAP_REDUCE" || mode === "PIPELINE" ? mode : "STANDARD";

const qualityOf = (quality: { score: number; category: string } | undefined): Record<string, unknown> =>
  quality === undefined ? {} : { qualityScore: quality.score, qualityCategory: quality.category };

/** The record of a batch with how far its open run has come, of a pipeline with its nodes; of any other job as it is listed. */
export async function listedJob(org: Organization, job: JobRecord): Promise<Record<string, unknown>> {
  const run = job.openRun === null ? undefined : findRun(job, job.openRun);
  if (job.documents === undefined || run === undefined) return processingJob(org, job, await watchPipeline(org, job));
  const counts = await countDocuments(org, job.guid, run.run);
  return processingJob(org, job, { progress: batchProgress(run, counts), counts });
}

/** The status with how far the open run has come. */
export async function watchedJob(org: Organization, job: JobRecord): Promise<Record<string, unknown>> {
  if (job.documents !== undefined || job.status !== "PROCESSING") return listedJob(org, job);
  return processingJob(org, job, { ...(await watch(org, job)), ...(await watchPipeline(org, job)) });
}

/** The nodes of the newest run; how far it is counts nodes once the document is read. */
async function watchPipeline(org: Organization, { guid, lastRun, runs, status }: JobRecord): Promise<Watched> {
  const isPipeline = runs.find(({ run }) => run === lastRun)?.mode === "PIPELINE";
  const nodes = isPipeline ? await loadNodes(org, guid, lastRun) : undefined;
  if (nodes === undefined) return {};
  const pipeline = viewPipeline(nodes, status);
  return nodes.reading === undefined ? { pipeline } : { pipeline, progress: progressOfNodes(nodes) };
}

/** Chunks, once they are known; before that, the reading of pages. */
async function watch(org: Organization, { guid, lastRun, runs }: JobRecord): Promise<Watched> {
  const isChunked = runs.find(({ run }) => run === lastRun)?.mode === "MAP_REDUCE";
  const tally = isChunked ? await loadTally(org, guid, lastRun) : undefined;
  if (tally !== undefined) return { progress: chunkProgress(tally), chunks: chunkStatus(tally) };
  return { progress: await findProgress(org, guid, lastRun) };
}

const progressOf = ({ status, dependsOn }: RunSummary, noted?: Progress): Record<string, unknown> => ({
  done: 0,
  total: 1,
  failed: 0,
  phase: dependsOn?.status === "WAITING" ? "waiting" : status === "PENDING" ? "queued" : "processing",
  unit: "document",
  ...noted,
});

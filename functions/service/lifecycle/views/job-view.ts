/** The ProcessingJob record of the API: one shape for every kind of job. */

import { JOB_SENTENCES } from "../../../ports/errors.ts";
import { PDF } from "../../../ports/media-types.ts";
import type { RunCounts } from "../../batches/batch-records.ts";
import { batchMembers, batchProgress } from "../../batches/batch-status.ts";
import { countDocuments } from "../../batches/document-counts.ts";
import type { Organization } from "../../organizations/organization.ts";
import { loadNodes, progressOfNodes, viewPipeline } from "../../pipelines/node-statuses.ts";
import { chunkProgress, chunkStatus, loadTally } from "../../runs/chunk-outcomes.ts";
import type { JobRecord, MapReduceStatus, RunSummary } from "../../runs/job-records.ts";
import { findRun } from "../../runs/open-run.ts";
import { findProgress, type Progress } from "../../runs/progress-notes.ts";

/** Progress of a job's newest run, loaded beside the job. */
interface RunProgress {
  progress?: Progress | undefined;
  /** Batches: counts of the open run. */
  counts?: RunCounts | undefined;
  chunks?: MapReduceStatus;
  /** Pipelines: the nodes, also of a run that has ended. */
  pipeline?: Record<string, unknown>;
}

/** The record that GET /job/status and GET /job/list answer; objects that do not apply are left out. */
function processingJob(org: Organization, job: JobRecord, live: RunProgress): Record<string, unknown> {
  const { counts } = live;
  const run = findRun(job, job.lastRun);
  const isBatch = job.documents !== undefined;
  const [ocrPages, llmTokens] = [job.ocrPages + (counts?.ocrPages ?? 0), job.llmTokens + (counts?.llmTokens ?? 0)];
  const tokens = job.tokenCount + (counts?.tokens ?? 0);
  return {
    guid: job.guid,
    status: job.status,
    error: job.error,
    ...hintMember(job),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
    organizationId: org.id,
    jobType: isBatch ? "BATCH" : "DOCUMENT",
    jobMode: jobModeOf(job, run?.documentMode ?? run?.mode ?? null),
    operationType: job.operation?.type ?? null,
    ...(job.operation === undefined ? {} : { parentJobGuid: job.operation.parent }),
    extractionMode: isBatch || job.operation !== undefined ? null : (run?.extraction ?? run?.mode ?? null),
    fileName: job.source.fileName,
    mimeType: isBatch ? (job.documents?.mimeType ?? null) : job.source.mimeType,
    tokenCount: tokens,
    dependsOnGuid: run?.dependsOn?.guid ?? null,
    dependencyStatus: run?.dependsOn?.status ?? "NONE",
    ...batchMembers(job, run, counts),
    operationStatusVersion: job.statusVersion,
    usage: { tokens, ocrPages, llmTokens },
    configuration: run?.configuration?.name ?? null,
    configurationRevision: run?.configuration?.revision ?? null,
    engine: run?.engine ?? null,
    confidence: run?.confidence ?? null,
    ...(run?.validationErrors ? { validationErrors: run.validationErrors } : {}),
    ...(run?.mode === "MAP_REDUCE" ? { mapReduceStatus: run?.mapReduce ?? live.chunks ?? chunkStatus(undefined) } : {}),
    ...(run?.receipt ? { receipt: run.receipt } : {}),
    ...(live.pipeline === undefined ? {} : { pipeline: live.pipeline }),
    ...qualityMembers(run?.facts?.quality),
    runs: job.runs.map(({ run: number, status, startedAt, completedAt, engine }) => ({
      run: number,
      status,
      startedAt,
      completedAt,
      engine,
    })),
    ...(run === undefined || run.completedAt !== null ? {} : { progress: progressMembers(run, live.progress) }),
  };
}

/** What to do about an error whose sentence is fixed and does not say it. */
function hintMember({ error, source, documents }: JobRecord): { hint?: string } {
  if (error !== JOB_SENTENCES.password || documents !== undefined) return {};
  const hint =
    source.mimeType === PDF
      ? "Process the document again with its password as the member `password` of the command"
      : "Save the document without its password and upload it again; a password opens PDFs only";
  return { hint };
}

const jobModeOf = ({ operation }: JobRecord, mode: string | null): string =>
  operation !== undefined ? "OPERATION" : mode === "MAP_REDUCE" || mode === "PIPELINE" ? mode : "STANDARD";

const qualityMembers = (quality: { score: number; category: string } | undefined): Record<string, unknown> =>
  quality === undefined ? {} : { qualityScore: quality.score, qualityCategory: quality.category };

/** The record of a listed job: a batch's with the progress of its open run, a pipeline's with its nodes. */
export async function viewListedJob(org: Organization, job: JobRecord): Promise<Record<string, unknown>> {
  const run = job.openRun === null ? undefined : findRun(job, job.openRun);
  if (job.documents === undefined || run === undefined)
    return processingJob(org, job, await loadPipelineProgress(org, job));
  const counts = await countDocuments(org, job.guid, run.run);
  return processingJob(org, job, { progress: batchProgress(run, counts), counts });
}

/** The record of a single job, with the progress of its open run. */
export async function viewJob(org: Organization, job: JobRecord): Promise<Record<string, unknown>> {
  if (job.documents !== undefined || job.status !== "PROCESSING") return viewListedJob(org, job);
  return processingJob(org, job, { ...(await loadRunProgress(org, job)), ...(await loadPipelineProgress(org, job)) });
}

/** The nodes of the newest run; its progress counts nodes once the document is read. */
async function loadPipelineProgress(
  org: Organization,
  { guid, lastRun, runs, status }: JobRecord,
): Promise<RunProgress> {
  const isPipeline = runs.find(({ run }) => run === lastRun)?.mode === "PIPELINE";
  const nodes = isPipeline ? await loadNodes(org, guid, lastRun) : undefined;
  if (nodes === undefined) return {};
  const pipeline = viewPipeline(nodes, status);
  return nodes.reading === undefined ? { pipeline } : { pipeline, progress: progressOfNodes(nodes) };
}

/** Progress in chunks, once they are planned; before that, in pages. */
async function loadRunProgress(org: Organization, { guid, lastRun, runs }: JobRecord): Promise<RunProgress> {
  const isChunked = runs.find(({ run }) => run === lastRun)?.mode === "MAP_REDUCE";
  const tally = isChunked ? await loadTally(org, guid, lastRun) : undefined;
  if (tally !== undefined) return { progress: chunkProgress(tally), chunks: chunkStatus(tally) };
  return { progress: await findProgress(org, guid, lastRun) };
}

const progressMembers = ({ status, dependsOn }: RunSummary, noted?: Progress): Record<string, unknown> => ({
  done: 0,
  total: 1,
  failed: 0,
  phase: dependsOn?.status === "WAITING" ? "waiting" : status === "PENDING" ? "queued" : "processing",
  unit: "document",
  ...noted,
});

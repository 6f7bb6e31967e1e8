import { ConditionFailed } from "../../ports/errors.ts";
import { documentEnded } from "../batches/document-counts.ts";
import type { TraceStatus } from "../extraction/model-trace.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { loadNodes, verdictOf } from "../pipelines/node-statuses.ts";
import { keepTrace } from "../pipelines/pipeline-trace.ts";
import { enqueue } from "../queue/enqueue.ts";
import { chunkStatus, loadChunkOutcomes, loadTally } from "../runs/chunk-outcomes.ts";
import {
  artifactKey,
  DEPENDENT_PREFIX,
  dependentKey,
  type JobRecord,
  type JobStatus,
  type RunSummary,
  runId,
  usageKey,
} from "../runs/job-records.ts";
import { loadJob, nowIso, updateJob } from "../runs/job-store.ts";
import { findRun, withRun } from "../runs/open-run.ts";
import {
  findReading,
  hasResult,
  loadOutcomes,
  type ModelUse,
  type PipelineOutcome,
  type StepOutputs,
} from "../runs/step-outcomes.ts";
import { pageUsage, tokenUsage, usageTotals } from "../runs/usage-events.ts";
import { type Outbox, openOutbox } from "../webhooks/event-outbox.ts";

/**
 * Ends a run: CANCELLED when it was, FAILED with the sentence when there is one, else COMPLETED with what its steps
 * made. Whoever comes second finds it ended and changes nothing.
 * @returns the job's status afterwards
 */
export async function settleRun(
  org: Organization,
  guid: string,
  run: number,
  sentence: string | undefined,
  { cancelled = false }: { cancelled?: boolean } = {},
): Promise<JobStatus> {
  const { outputs: found, sentence: recorded } = await loadOutcomes(org, guid, run);
  const nodes = await loadNodes(org, guid, run);
  const pipeline = nodes && verdictOf(nodes);
  const outputs: StepOutputs = { ...found, ...(pipeline ? { pipeline } : {}) };
  const made = pipeline === undefined ? hasResult(found) : pipeline.error === undefined;
  const noResult = made ? undefined : "Processing failed: The run made no result";
  // Of a pipeline that something outside of its nodes ended, its finals say nothing.
  const why = recorded ?? pipeline?.fatalError ?? sentence ?? pipeline?.error ?? noResult;
  const end: End = cancelled ? { cancelled } : { cancelled, error: why };
  const traced = { guid, run, status: statusAfter(outputs, end), error: why, first: found.modelUse?.traceKey };
  const traceKey = nodes && (await keepTrace(org, { ...traced, nodes }));
  const pipelineTrace: StepOutputs = traceKey === undefined ? {} : { modelUse: { ...found.modelUse, traceKey } };
  let ended = false;
  const chunks = outputs.chunk === undefined ? undefined : await lookAtChunks(org, guid, run);
  try {
    const outbox = await openOutbox(org);
    const job = await updateJob(org, guid, (current) => {
      const one = findRun(current, run);
      ended = false;
      if (one === undefined || current.openRun !== run) return undefined;
      ended = true;
      return settled(org, current, one, { ...outputs, ...chunks, ...pipelineTrace }, end, outbox);
    });
    const status = findRun(job, run)?.status ?? job.status;
    if (ended) {
      org.observer.count("runs_settled_total", { status });
      org.observer.log("info", "run settled", { organization: org.id, job: guid, run, status });
      // The runs of a batch's documents count as one with the batch's.
      if (job.batch === undefined) await org.openRuns.ended();
      await tellDependents(org, guid);
    }
    await outbox.handOver();
    return status;
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
    return (await loadJob(org, guid)).value.status;
  }
}

/** How a run ends; without an error, with its result. */
type End = { cancelled: true; error?: undefined } | { cancelled: false; error: string | undefined };

function statusAfter({ reduce, extract, pipeline }: StepOutputs, { cancelled, error }: End): TraceStatus {
  if (cancelled) return "CANCELLED";
  if (error !== undefined) return "FAILED";
  return (reduce ?? extract ?? pipeline)?.partial ? "PARTIAL" : "COMPLETED";
}

/** Has the runs started that wait for a job. Each is on record as due as well, so that the sweep finds it otherwise. */
export async function tellDependents(org: Organization, guid: string): Promise<void> {
  const { items } = await org.records.query({ partition: `job/${guid}`, prefix: DEPENDENT_PREFIX, limit: 1 });
  if (items.length > 0) await enqueue(org, { kind: "start-dependents", guid });
}

/** What the chunks of a run came to; what they used counts whether the run came to its end or not. */
async function lookAtChunks(org: Organization, guid: string, run: number) {
  const outcomes = await loadChunkOutcomes(org, guid, run);
  const uses = [...outcomes.values()].flatMap(({ output }) => ((output ?? {}) as ModelUse).uses ?? []);
  return { chunkUses: uses, mapReduce: chunkStatus(await loadTally(org, guid, run)) };
}

function settled(
  org: Organization,
  job: JobRecord,
  run: RunSummary,
  outputs: StepOutputs,
  end: End,
  outbox: Outbox,
): { job: JobRecord; more: OrgOperation[] } {
  const at = nowIso(org);
  const { cancelled, error } = end;
  const status = statusAfter(outputs, end);
  const awaited = run.dependsOn?.status === "WAITING" ? run.dependsOn : undefined;
  const reading = findReading(outputs);
  const uses = [...(outputs.modelUse?.uses ?? []), ...(outputs.chunkUses ?? []), ...(outputs.pipeline?.uses ?? [])];
  const usage = [
    ...(reading?.reused === false ? pageUsage(job, run, reading.uses, at) : []),
    ...tokenUsage(job, run, uses, at),
  ];
  const used = usageTotals(usage);
  const ended = withRun(withoutRows(job), run.run, {
    status,
    error: error ?? null,
    completedAt: at,
    ...(reading ? { layoutKey: reading.layoutKey, qualityKey: reading.qualityKey, facts: reading.facts } : {}),
    ...outputs.enrich,
    ...(outputs.modelUse?.traceKey ? { traceKey: outputs.modelUse.traceKey } : {}),
    ...(outputs.mapReduce ? { mapReduce: outputs.mapReduce } : {}),
    ...(awaited ? { dependsOn: { ...awaited, status: cancelled ? "CANCELLED" : "FAILED" } } : {}),
    ...(status === "CANCELLED" || status === "FAILED" ? {} : resultOf(job, run, outputs)),
  });
  return {
    job: {
      ...ended,
      status,
      error: error ?? null,
      updatedAt: at,
      openRun: null,
      ocrPages: job.ocrPages + used.ocrPages,
      llmTokens: job.llmTokens + used.llmTokens,
      statusVersion: job.statusVersion + 1,
    },
    more: [
      { kind: "due-delete", id: runId(job.guid, run.run), condition: { ifPresent: true } },
      ...(awaited ? [{ kind: "delete" as const, key: dependentKey(awaited.guid, job.guid, run.run) }] : []),
      ...usage.map((event): OrgOperation => ({ kind: "put", key: usageKey(event), value: event })),
      // Of a batch, its own end is told.
      ...(job.batch === undefined ? outbox.record(ended, findRun(ended, run.run) ?? run) : []),
      ...documentEnded(job, findRun(ended, run.run), used),
    ],
  };
}

/** Only the newest run's missing rows are shown: fifty runs' lists would not fit a record. */
const withoutRows = (job: JobRecord): JobRecord => ({
  ...job,
  runs: job.runs.map((run) => (run.receipt === undefined ? run : { ...run, receipt: { ...run.receipt, missing: [] } })),
});

function resultOf(job: JobRecord, run: RunSummary, outputs: StepOutputs): Partial<RunSummary> {
  if (outputs.pipeline !== undefined) return publicResult(job, run, outputs.pipeline);
  const data = outputs.reduce ?? outputs.extract;
  if (data !== undefined) {
    const { resultKey, sourcesKey, engine, confidence, validationErrors, receipt } = data;
    const told = {
      ...(validationErrors === undefined ? {} : { validationErrors }),
      ...(receipt === undefined ? {} : { receipt }),
    };
    return { resultKey, sourcesKey, engine, confidence, resultType: "application/json", ...told };
  }
  return { ...outputs.transcribe, ...outputs.describe, ...outputs.operate };
}

/** The chosen final's, where the pipeline's last step put it. */
function publicResult(job: JobRecord, { run }: RunSummary, verdict: PipelineOutcome): Partial<RunSummary> {
  const { engine, confidence, hasSources, validationErrors, receipt } = verdict;
  return {
    resultKey: artifactKey(job.guid, run, "result.json"),
    resultType: "application/json",
    engine,
    confidence,
    ...(hasSources ? { sourcesKey: artifactKey(job.guid, run, "result.sources.json") } : {}),
    ...(receipt === undefined ? {} : { receipt }),
    ...(validationErrors === undefined ? {} : { validationErrors }),
  };
}

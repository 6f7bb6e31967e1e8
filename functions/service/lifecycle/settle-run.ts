/** The end of a run. One transaction writes status, result, usage and listing, exactly once. */
import { ConditionFailed, NotFound } from "../../ports/errors.ts";
import { documentEndOperations } from "../batches/document-counts.ts";
import { type CaseEvent, listenerOperations, tellListeners } from "../cases/case-events.ts";
import { caseEnd, loadMadeSummary } from "../cases/case-outcome.ts";
import { owedOperations, takeOwed } from "../charges/owed-charges.ts";
import type { TraceStatus } from "../extraction/model-trace.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { loadNodes, pipelineOutcomeOf } from "../pipelines/node-statuses.ts";
import { storePipelineTrace } from "../pipelines/pipeline-trace.ts";
import { enqueue } from "../queue/enqueue.ts";
import { chunkStatus, loadChunkOutcomes, loadTally } from "../runs/chunk-outcomes.ts";
import {
  artifactKey,
  DEPENDENT_PREFIX,
  dependentKey,
  filesOf,
  type JobRecord,
  type JobStatus,
  jobKey,
  type RunSummary,
  runId,
  usageKey,
} from "../runs/job-records.ts";
import { loadJob, nowIso, updateJob } from "../runs/job-store.ts";
import { findRun, withRun } from "../runs/open-run.ts";
import { tellEnd } from "../runs/run-ends.ts";
import { erasePassword } from "../runs/run-password.ts";
import {
  findReading,
  hasResult,
  loadOutcomes,
  type ModelUse,
  type PipelineOutcome,
  type ReadingOutput,
  type StepOutputs,
} from "../runs/step-outcomes.ts";
import { pageUsage, pricedUsage, tokenUsage, usageTotals } from "../runs/usage-events.ts";
import { type Outbox, openOutbox } from "../webhooks/event-outbox.ts";
import { CASE_LISTENERS } from "./case-listeners.ts";
import { partialSentence } from "./partial-sentence.ts";

/** True for a document of a batch whose run is being cancelled. */
async function isCancelledWithBatch(org: Organization, guid: string, run: number): Promise<boolean> {
  const { batch } = (await loadJob(org, guid)).value;
  if (batch === undefined) return false;
  return findRun((await loadJob(org, batch.guid)).value, run)?.cancelling === true;
}

/**
 * Ends a run: CANCELLED, FAILED with a sentence, or COMPLETED or PARTIAL with the result of its steps. A second call
 * changes nothing. A run that was cut off while its batch is being cancelled is CANCELLED, and so is one whose job was
 * deleted while its machine was at work.
 * @param sentence the failure, of a run that did not end by itself
 * @returns the job's status afterwards
 */
export async function settleRun(
  org: Organization,
  guid: string,
  run: number,
  sentence: string | undefined,
  options: { cancelled?: boolean } = {},
): Promise<JobStatus> {
  try {
    return await settleKnownRun(org, guid, run, sentence, options);
  } catch (error) {
    const job = error instanceof NotFound ? await org.records.get<JobRecord>(jobKey(guid)) : undefined;
    if (error instanceof NotFound && (job === undefined || job.value.deleted === true)) return "CANCELLED";
    throw error;
  }
}

/** @throws NotFound for a job that was deleted */
async function settleKnownRun(
  org: Organization,
  guid: string,
  run: number,
  sentence: string | undefined,
  options: { cancelled?: boolean },
): Promise<JobStatus> {
  const { outputs: stepOutputs, sentence: recorded } = await loadOutcomes(org, guid, run);
  const wasCutOff = sentence !== undefined && recorded === undefined;
  const cancelled = options.cancelled === true || (wasCutOff && (await isCancelledWithBatch(org, guid, run)));
  const nodes = await loadNodes(org, guid, run);
  const pipeline = nodes && pipelineOutcomeOf(nodes);
  const outputs: StepOutputs = { ...stepOutputs, ...(pipeline ? { pipeline } : {}) };
  const hasRunResult = pipeline === undefined ? hasResult(stepOutputs) : pipeline.error === undefined;
  const noResult = hasRunResult ? undefined : "Processing failed: The run made no result";
  // When a failure outside of its nodes ended a pipeline, it ranks above the error of the final nodes.
  const error = recorded ?? pipeline?.fatalError ?? sentence ?? pipeline?.error ?? noResult;
  const end: RunEnd = cancelled ? { cancelled } : { cancelled, error: error };
  const priorTraceKey = stepOutputs.modelUse?.traceKey;
  const traced = { guid, run, status: endStatus(outputs, end), error, priorTraceKey };
  const traceKey = nodes && (await storePipelineTrace(org, { ...traced, nodes }));
  const pipelineTrace: StepOutputs = traceKey === undefined ? {} : { modelUse: { ...stepOutputs.modelUse, traceKey } };
  // The result outlasts a power failure before anybody can see it.
  await org.blobs.keep(filesOf(guid));
  let isSettledHere = false;
  let event: CaseEvent | undefined;
  const summary = await loadMadeSummary(org, { guid, run }, stepOutputs.describe?.resultKey);
  const chunks = outputs.chunk === undefined ? undefined : await loadChunkResults(org, guid, run);
  try {
    const outbox = await openOutbox(org);
    const job = await updateJob(org, guid, (current) => {
      const currentRun = findRun(current, run);
      isSettledHere = false;
      if (currentRun === undefined || current.openRun !== run) return undefined;
      isSettledHere = true;
      const settled = settledJob(org, current, currentRun, { ...outputs, ...chunks, ...pipelineTrace }, end, outbox);
      const ended = caseEnd(settled.job, findRun(settled.job, run), summary);
      event = ended.event;
      return { job: ended.job, more: [...settled.more, ...ended.operations, ...eventOperations(org, event)] };
    });
    const ended = findRun(job, run);
    const status = ended?.status ?? job.status;
    if (isSettledHere) {
      await takeOwed(org, { guid, run }, ended?.billing);
      tellEnd(org, guid);
      org.observer.count("runs_settled_total", { status });
      org.observer.log("info", "run settled", { organization: org.id, job: guid, run, status });
      // Runs of a batch's documents are not counted apart from the batch's run.
      if (job.batch === undefined) await org.openRuns.ended();
      await enqueueDependents(org, guid);
      if (event !== undefined) await tellListeners(CASE_LISTENERS, org, event);
    }
    await outbox.enqueueRecorded();
    return status;
  } catch (thrown) {
    if (!(thrown instanceof ConditionFailed)) throw thrown;
    return (await loadJob(org, guid)).value.status;
  }
}

const eventOperations = (org: Organization, event: CaseEvent | undefined): OrgOperation[] =>
  event === undefined ? [] : listenerOperations(CASE_LISTENERS, org, event);

/** The end of a run: cancelled, failed with an error, or with its result. */
type RunEnd = { cancelled: true; error?: undefined } | { cancelled: false; error: string | undefined };

function endStatus(outputs: StepOutputs, { cancelled, error }: RunEnd): TraceStatus {
  if (cancelled) return "CANCELLED";
  if (error !== undefined) return "FAILED";
  const { reduce, extract, pipeline } = outputs;
  const isPartial = (reduce ?? extract ?? pipeline)?.partial === true || findReading(outputs)?.unread !== undefined;
  return isPartial ? "PARTIAL" : "COMPLETED";
}

/** Enqueues a check of the runs that wait for a job. They are due work too, so the sweep finds them otherwise. */
export async function enqueueDependents(org: Organization, guid: string): Promise<void> {
  const { items } = await org.records.query({ partition: `job/${guid}`, prefix: DEPENDENT_PREFIX, limit: 1 });
  if (items.length > 0) await enqueue(org, { kind: "start-dependents", guid });
}

/** Status and model use of a run's chunks; their use counts also for a failed run. */
async function loadChunkResults(org: Organization, guid: string, run: number) {
  const outcomes = await loadChunkOutcomes(org, guid, run);
  const uses = [...outcomes.values()].flatMap(({ output }) => ((output ?? {}) as ModelUse).uses ?? []);
  return { chunkUses: uses, mapReduce: chunkStatus(await loadTally(org, guid, run)) };
}

function settledJob(
  org: Organization,
  job: JobRecord,
  run: RunSummary,
  outputs: StepOutputs,
  end: RunEnd,
  outbox: Outbox,
): { job: JobRecord; more: OrgOperation[] } {
  const at = nowIso(org);
  const { cancelled } = end;
  const status = endStatus(outputs, end);
  const reading = findReading(outputs);
  const hasNoResult = status === "CANCELLED" || status === "FAILED";
  const result = hasNoResult ? {} : withUnreadPages(resultMembers(job, run, outputs), reading);
  const error = end.error ?? (status === "PARTIAL" ? partialSentence(result) : null);
  const awaited = run.dependsOn?.status === "WAITING" ? run.dependsOn : undefined;
  const uses = [...(outputs.modelUse?.uses ?? []), ...(outputs.chunkUses ?? []), ...(outputs.pipeline?.uses ?? [])];
  const events = [
    ...(reading?.reused === false ? pageUsage(job, run, reading.uses, at) : []),
    ...tokenUsage(job, run, uses, at),
  ];
  const { usage, tokens } = pricedUsage(events, run, org.config.billing.rates);
  const used = { ...usageTotals(usage), tokens };
  const ended = withRun(withoutMissingRows(job), run.run, {
    status,
    error,
    completedAt: at,
    ...(reading ? { layoutKey: reading.layoutKey, qualityKey: reading.qualityKey, facts: reading.facts } : {}),
    ...(reading?.unread ? { unreadPages: reading.unread.count } : {}),
    ...outputs.enrich,
    ...(outputs.modelUse?.traceKey ? { traceKey: outputs.modelUse.traceKey } : {}),
    ...(outputs.mapReduce ? { mapReduce: outputs.mapReduce } : {}),
    ...(awaited ? { dependsOn: { ...awaited, status: cancelled ? "CANCELLED" : "FAILED" } } : {}),
    ...result,
  });
  return {
    job: {
      ...ended,
      status,
      error,
      updatedAt: at,
      openRun: null,
      tokenCount: job.tokenCount + tokens,
      ocrPages: job.ocrPages + used.ocrPages,
      llmTokens: job.llmTokens + used.llmTokens,
      statusVersion: job.statusVersion + 1,
    },
    more: [
      { kind: "due-delete", id: runId(job.guid, run.run), condition: { ifPresent: true } },
      ...(awaited ? [{ kind: "delete" as const, key: dependentKey(awaited.guid, job.guid, run.run) }] : []),
      ...erasePassword(job, run),
      ...usage.map((event): OrgOperation => ({ kind: "put", key: usageKey(event), value: event })),
      ...owedOperations(org, { guid: job.guid, run: run.run }, run.billing, tokens),
      // A batch has one event, for its own end.
      ...(job.batch === undefined ? outbox.record(ended, findRun(ended, run.run) ?? run) : []),
      ...documentEndOperations(job, findRun(ended, run.run), used),
    ],
  };
}

/** Drops the missing rows of earlier runs: the lists of fifty runs would not fit a record. */
const withoutMissingRows = (job: JobRecord): JobRecord => ({
  ...job,
  runs: job.runs.map((run) => (run.receipt === undefined ? run : { ...run, receipt: { ...run.receipt, missing: [] } })),
});

function resultMembers(job: JobRecord, run: RunSummary, outputs: StepOutputs): Partial<RunSummary> {
  if (outputs.pipeline !== undefined) return pipelineResult(job, run, outputs.pipeline);
  const data = outputs.reduce ?? outputs.extract;
  if (data !== undefined) {
    const { resultKey, sourcesKey, engine, extraction, confidence, validationErrors, receipt } = data;
    const findings = {
      ...(extraction === undefined ? {} : { extraction }),
      ...(validationErrors === undefined ? {} : { validationErrors }),
      ...(receipt === undefined ? {} : { receipt }),
    };
    return { resultKey, sourcesKey, engine, confidence, resultType: "application/json", ...findings };
  }
  return { ...outputs.transcribe, ...outputs.describe, ...outputs.operate };
}

/** Names the pages that the result lacks first: what else it lacks may stand there. */
function withUnreadPages(result: Partial<RunSummary>, reading: ReadingOutput | undefined): Partial<RunSummary> {
  if (reading?.unread === undefined) return result;
  const fault = { pointer: "", message: reading.unread.sentence };
  return { ...result, validationErrors: [fault, ...(result.validationErrors ?? [])] };
}

/** The result of the chosen final node, copied there by the pipeline's last step. */
function pipelineResult(job: JobRecord, { run }: RunSummary, verdict: PipelineOutcome): Partial<RunSummary> {
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

/** The end of a run: status, result, usage and listing in one transaction, once. */

import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { ReadingFacts } from "../../engine/readers/reading.ts";
import type { DataFault } from "../../engine/schema/data-faults.ts";
import { ConditionFailed, JobFailure } from "../../ports/errors.ts";
import type { OcrUse } from "../../ports/ocr.ts";
import { documentEnded } from "../batches/document-counts.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import type { TraceStatus } from "../extraction/model-trace.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { loadNodes, type PipelineVerdict, verdictOf } from "../pipelines/node-statuses.ts";
import { keepTrace } from "../pipelines/pipeline-trace.ts";
import { enqueue } from "../queue/enqueue.ts";
import { loadChunkOutcomes, loadTally, statusOfChunks } from "../runs/chunk-outcomes.ts";
import {
  artifactKey,
  DEPENDENTS,
  dependentKey,
  type JobRecord,
  type JobStatus,
  type MapReduceStatus,
  type RunSummary,
  runId,
  type StepOutcome,
  stepKey,
  usageKey,
} from "../runs/job-records.ts";
import { changeJob, loadJob, nowIso } from "../runs/job-store.ts";
import { findRun, withRun } from "../runs/open-run.ts";
import { RetryableStepError } from "../runs/run-step.ts";
import { pageUsage, quantitiesOf, tokenUsage } from "../runs/usage-events.ts";
import { type Outbox, openOutbox } from "../webhooks/event-outbox.ts";

/** What reading a document left: where it lies, and what was used of a provider for it. */
export interface ReadingOutput {
  layoutKey: string;
  qualityKey: string;
  reused: boolean;
  facts: ReadingFacts;
  uses: OcrUse[];
}

/** What a step used of models, and the trace of it. */
interface Used {
  uses?: LlmUse[];
  traceKey?: string;
}

/** The steps that ask models, or keep the trace of it. */
const MODEL_STEPS = new Set(["enrich", "describe", "extract", "reduce", "operate"]);

/** What extraction left. */
interface DataOutput {
  resultKey: string;
  sourcesKey: string;
  engine: string;
  confidence: number | null;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
}

/** What the steps of a run recorded, as far as they came. */
export interface StepOutputs {
  /** `waiting`: text is being recognised elsewhere, and `collect` has what came of it. */
  recognize?: ReadingOutput | { waiting: true };
  collect?: ReadingOutput;
  enrich?: { barcodesKey?: string; figuresKey?: string; acroFormKey?: string };
  describe?: { resultKey: string; resultType: string; engine: string };
  /** What an operation made. */
  operate?: { resultKey: string; resultType: string; engine: string };
  extract?: DataOutput;
  /** The plan of a run in chunks. */
  chunk?: { planKey: string };
  reduce?: DataOutput;
  /** Of all steps, also of one that failed; of the chunks of a run. */
  used?: Used;
  chunkUses?: LlmUse[];
  mapReduce?: MapReduceStatus;
  transcribe?: { resultKey: string; resultType: string };
  /** What the nodes of a pipeline came to. */
  pipeline?: PipelineVerdict;
}

/** Reads the recorded outputs of a run's steps, and the sentence of the first that failed. */
export async function loadOutcomes(
  org: Organization,
  guid: string,
  run: number,
): Promise<{ outputs: StepOutputs; sentence: string | undefined }> {
  const prefix = stepKey(guid, run, "").sort;
  const { items } = await org.records.query<StepOutcome>({ partition: `job/${guid}`, prefix, limit: 100 });
  const outputs: Record<string, unknown> = {};
  const used: Used[] = [];
  let sentence: string | undefined;
  for (const { value } of items) {
    if (value.outcome === "done") outputs[value.step] = value.output;
    else sentence ??= value.sentence;
    if (MODEL_STEPS.has(value.step)) used.push((value.output ?? {}) as Used);
  }
  const traceKey = used.findLast((one) => one.traceKey !== undefined)?.traceKey;
  outputs.used = { uses: used.flatMap(({ uses = [] }) => uses), ...(traceKey ? { traceKey } : {}) } satisfies Used;
  return { outputs: outputs as StepOutputs, sentence };
}

/**
 * Ends a run: CANCELLED when it was, FAILED with the sentence when there is one, else COMPLETED with what its steps made.
 * Whoever comes second finds it ended and changes nothing.
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
  const why = recorded ?? pipeline?.fatal ?? sentence ?? pipeline?.error ?? noResult;
  const end: End = cancelled ? { cancelled } : { cancelled, error: why };
  const traced = { guid, run, status: statusAfter(outputs, end), error: why, first: found.used?.traceKey };
  const traceKey = nodes && (await keepTrace(org, { ...traced, nodes }));
  const more = traceKey === undefined ? {} : { used: { ...found.used, traceKey } };
  let ended = false;
  const chunks = outputs.chunk === undefined ? undefined : await lookAtChunks(org, guid, run);
  try {
    const outbox = await openOutbox(org);
    const job = await changeJob(org, guid, (current) => {
      const one = findRun(current, run);
      ended = false;
      if (one === undefined || current.openRun !== run) return undefined;
      ended = true;
      return settled(org, current, one, { ...outputs, ...chunks, ...more }, end, outbox);
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
  const { items } = await org.records.query({ partition: `job/${guid}`, prefix: DEPENDENTS, limit: 1 });
  if (items.length > 0) await enqueue(org, { kind: "start-dependents", guid });
}

/** What the chunks of a run came to; what they used counts whether the run came to its end or not. */
async function lookAtChunks(org: Organization, guid: string, run: number) {
  const outcomes = await loadChunkOutcomes(org, guid, run);
  const uses = [...outcomes.values()].flatMap(({ output }) => ((output ?? {}) as Used).uses ?? []);
  return { chunkUses: uses, mapReduce: statusOfChunks(await loadTally(org, guid, run)) };
}

/** Whether the steps came to what the run is for. */
export const hasResult = ({ extract, reduce, transcribe, describe, operate }: StepOutputs): boolean =>
  [extract, reduce, transcribe, describe, operate].some((output) => output !== undefined);

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
  const reading = readingOf(outputs);
  const uses = [...(outputs.used?.uses ?? []), ...(outputs.chunkUses ?? []), ...(outputs.pipeline?.uses ?? [])];
  const usage = [
    ...(reading?.reused === false ? pageUsage(job, run, reading.uses, at) : []),
    ...tokenUsage(job, run, uses, at),
  ];
  const used = quantitiesOf(usage);
  const ended = withRun(withoutRows(job), run.run, {
    status,
    error: error ?? null,
    completedAt: at,
    ...(reading ? { layoutKey: reading.layoutKey, qualityKey: reading.qualityKey, facts: reading.facts } : {}),
    ...outputs.enrich,
    ...(outputs.used?.traceKey ? { traceKey: outputs.used.traceKey } : {}),
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
function publicResult(job: JobRecord, { run }: RunSummary, verdict: PipelineVerdict): Partial<RunSummary> {
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

/** What reading left, whichever step ended it. */
export function readingOf({ recognize, collect }: StepOutputs): ReadingOutput | undefined {
  if (collect !== undefined) return collect;
  return recognize === undefined || "waiting" in recognize ? undefined : recognize;
}

/**
 * The sentence of an error that a machine caught: `Cause` is Lambda's JSON {errorType, errorMessage}. Only our own
 * errors' messages are meant for readers; undefined for any other.
 */
export function sentenceOfCause(cause: unknown): string | undefined {
  if (typeof cause !== "string") return undefined;
  let parsed: { errorType?: unknown; errorMessage?: unknown };
  try {
    parsed = JSON.parse(cause);
  } catch {
    return undefined;
  }
  const { errorType, errorMessage } = parsed ?? {};
  if (typeof errorMessage !== "string") return undefined;
  if (errorType === JobFailure.name) return errorMessage;
  return errorType === RetryableStepError.name ? `Processing failed: ${errorMessage}` : undefined;
}

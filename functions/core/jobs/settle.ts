/** The end of a run: status, result, usage and listing in one transaction, once. */
import { ConditionFailed, JobFailure } from "../errors.ts";
import type { OcrUse } from "../ocr/ports.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/records.ts";
import type { ReadingFacts } from "../ports.ts";
import { changeJob, loadJob, nowIso } from "./jobs.ts";
import {
  type JobRecord,
  type JobStatus,
  type RunSummary,
  runId,
  type StepOutcome,
  stepKey,
  type UsageEvent,
  usageKey,
} from "./model.ts";
import { findRun, withRun } from "./runs.ts";
import { RetryableStepError } from "./steps.ts";

/** What reading a document left: where it lies, and what was used of a provider for it. */
export interface ReadingOutput {
  layoutKey: string;
  qualityKey: string;
  reused: boolean;
  facts: ReadingFacts;
  uses: OcrUse[];
}

/** What the steps of a run recorded, as far as they came. */
export interface StepOutputs {
  /** `waiting`: text is being recognised elsewhere, and `collect` has what came of it. */
  recognize?: ReadingOutput | { waiting: true };
  collect?: ReadingOutput;
  enrich?: { barcodesKey?: string; figuresKey?: string; acroFormKey?: string };
  describe?: { resultKey: string; resultType: string; engine: string };
  extract?: { resultKey: string; sourcesKey: string; engine: string; confidence: number | null };
  transcribe?: { resultKey: string; resultType: string };
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
  let sentence: string | undefined;
  for (const { value } of items) {
    if (value.outcome === "done") outputs[value.step] = value.output;
    else sentence ??= value.sentence;
  }
  return { outputs: outputs as StepOutputs, sentence };
}

/**
 * Ends a run: FAILED with the sentence when there is one, else COMPLETED with what its steps made. Whoever comes second
 * finds it ended and changes nothing.
 * @returns the job's status afterwards
 */
export async function settleRun(
  org: Organization,
  guid: string,
  run: number,
  sentence: string | undefined,
): Promise<JobStatus> {
  const { outputs, sentence: recorded } = await loadOutcomes(org, guid, run);
  const error = recorded ?? sentence ?? (hasResult(outputs) ? undefined : "Processing failed: The run made no result");
  try {
    const job = await changeJob(org, guid, (current) => {
      const one = findRun(current, run);
      if (one === undefined || current.openRun !== run) return undefined;
      return settled(org, current, one, outputs, error);
    });
    const status = findRun(job, run)?.status ?? job.status;
    return status;
  } catch (failure) {
    if (!(failure instanceof ConditionFailed)) throw failure;
    return (await loadJob(org, guid)).value.status;
  }
}

const hasResult = ({ extract, transcribe, describe }: StepOutputs): boolean =>
  [extract, transcribe, describe].some((output) => output !== undefined);

function settled(
  org: Organization,
  job: JobRecord,
  run: RunSummary,
  outputs: StepOutputs,
  error: string | undefined,
): { job: JobRecord; more: OrgOperation[] } {
  const at = nowIso(org);
  const status: JobStatus = error === undefined ? "COMPLETED" : "FAILED";
  const reading = readingOf(outputs);
  const usage = usageOf(job, run, reading, at);
  const ended = withRun(job, run.run, {
    status,
    error: error ?? null,
    completedAt: at,
    ...(reading ? { layoutKey: reading.layoutKey, qualityKey: reading.qualityKey, facts: reading.facts } : {}),
    ...outputs.enrich,
    ...(error === undefined ? resultOf(outputs) : {}),
  });
  org.observer.count("runs_settled_total", { status });
  org.observer.log("info", "run settled", { organization: org.id, job: job.guid, run: run.run, status });
  return {
    job: {
      ...ended,
      status,
      error: error ?? null,
      updatedAt: at,
      openRun: null,
      ocrPages: job.ocrPages + usage.reduce((sum, event) => sum + (event.unit === "page" ? event.quantity : 0), 0),
      statusVersion: job.statusVersion + 1,
    },
    more: [
      { kind: "due-delete", id: runId(job.guid, run.run), condition: { ifPresent: true } },
      ...usage.map((event): OrgOperation => ({ kind: "put", key: usageKey(event), value: event })),
    ],
  };
}

function resultOf(outputs: StepOutputs): Partial<RunSummary> {
  if (outputs.extract !== undefined) {
    const { resultKey, sourcesKey, engine, confidence } = outputs.extract;
    return { resultKey, sourcesKey, engine, confidence, resultType: "application/json" };
  }
  return { ...outputs.transcribe, ...outputs.describe };
}

/** What reading left, whichever step ended it. */
export function readingOf({ recognize, collect }: StepOutputs): ReadingOutput | undefined {
  if (collect !== undefined) return collect;
  return recognize === undefined || "waiting" in recognize ? undefined : recognize;
}

/** Reading on the service's own machines costs nothing; it is recorded all the same, so that usage tells what was read. */
function usageOf(job: JobRecord, run: RunSummary, reading: ReadingOutput | undefined, at: string): UsageEvent[] {
  if (reading === undefined || reading.reused) return [];
  const pages = new Map<string, number>();
  for (const use of reading.uses) {
    const provider = use.operation === "" ? `local:${use.provider}` : `${use.provider}:${use.operation}`;
    pages.set(provider, (pages.get(provider) ?? 0) + use.pages);
  }
  return [...pages].map(([provider, quantity]) => ({
    v: 1,
    event_type: "ocr",
    unit: "page",
    quantity,
    llm_tier: null,
    provider_key: provider,
    billing_exempt: provider.startsWith("local:"),
    guid: job.guid,
    run: run.run,
    createdAt: at,
  }));
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

/** The recorded outcomes of a run's steps. */
import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { ReadingFacts } from "../../engine/readers/reading.ts";
import type { DataFault } from "../../engine/schema/data-faults.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { OcrUse } from "../../ports/ocr.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";
import { type MapReduceStatus, type StepOutcome, stepKey } from "./job-records.ts";
import { RetryableStepError } from "./step-errors.ts";

/** What reading a document left: where it lies, and what was used of a provider for it. */
export interface ReadingOutput {
  layoutKey: string;
  qualityKey: string;
  reused: boolean;
  facts: ReadingFacts;
  uses: OcrUse[];
}

/** What a step used of models, and the trace of it. */
export interface Used {
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
  pipeline?: PipelineOutcome;
}

/** The outputs of a run's steps, and the sentence of the first that failed. */
export interface RunOutcomes {
  outputs: StepOutputs;
  sentence: string | undefined;
}

/** Reads the recorded outcomes of a run's steps. */
export async function loadOutcomes(org: Organization, guid: string, run: number): Promise<RunOutcomes> {
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

/** Whether the steps came to what the run is for. */
export const hasResult = ({ extract, reduce, transcribe, describe, operate }: StepOutputs): boolean =>
  [extract, reduce, transcribe, describe, operate].some((output) => output !== undefined);

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

/** What a run whose nodes have ended comes to. */
export interface PipelineOutcome {
  /** The node whose result is the public one. */
  chosen?: string;
  /** Why the run fails: the sentence of the node that ended it, or what its candidates came to. */
  fatal?: string;
  error?: string;
  hasSources: boolean;
  partial: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  engine: string | null;
  confidence: number | null;
  /** Of all nodes, whatever became of them. */
  uses: LlmUse[];
}

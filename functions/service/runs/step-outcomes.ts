/** Recorded outcomes of a run's steps. */
import type { Receipt } from "../../engine/completeness/completeness-report.ts";
import type { ReadingFacts } from "../../engine/readers/reading.ts";
import type { DataFault } from "../../engine/schema/data-faults.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { OcrUse } from "../../ports/ocr.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import type { Organization } from "../organizations/organization.ts";
import { type MapReduceStatus, type StepOutcome, stepKey } from "./job-records.ts";
import { RetryableStepError } from "./step-errors.ts";

/** Pages that recognition was to read, and did not. */
export interface UnreadPages {
  count: number;
  /** Names the pages and the reason. */
  sentence: string;
}

/** Output of reading a document: keys of its files, facts, and provider usage. */
export interface ReadingOutput {
  layoutKey: string;
  qualityKey: string;
  reused: boolean;
  facts: ReadingFacts;
  uses: OcrUse[];
  /** Absent for none. */
  unread?: UnreadPages;
}

/** A step's use of models, and its trace. */
export interface ModelUse {
  uses?: LlmUse[];
  traceKey?: string;
}

/** Steps that call models, or store the trace of calls. */
const MODEL_STEPS = new Set(["enrich", "describe", "extract", "reduce", "operate"]);

/** Output of extraction. */
interface DataOutput {
  resultKey: string;
  sourcesKey: string;
  engine: string;
  /** How a model's extraction ran. */
  extraction?: "SIMPLE" | "STEPS";
  confidence: number | null;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
}

/** Outputs of the steps of a run that have completed so far. */
export interface StepOutputs {
  /** `waiting`: recognition is asynchronous, and `collect` has the reading. */
  recognize?: ReadingOutput | { waiting: true };
  collect?: ReadingOutput;
  enrich?: { barcodesKey?: string; figuresKey?: string; acroFormKey?: string };
  describe?: { resultKey: string; resultType: string; engine: string };
  /** An operation's result. */
  operate?: {
    resultKey: string;
    resultType: string;
    engine: string;
    acroFormKey?: string;
    formKey?: string;
    definitionsKey?: string;
  };
  extract?: DataOutput;
  /** The plan of a run in chunks. */
  chunk?: { planKey: string };
  reduce?: DataOutput;
  /** Model use of all steps, also of a failed one. */
  modelUse?: ModelUse;
  /** Model use of the chunks. */
  chunkUses?: LlmUse[];
  mapReduce?: MapReduceStatus;
  transcribe?: { resultKey: string; resultType: string };
  /** Outcome of a pipeline's nodes. */
  pipeline?: PipelineOutcome;
}

/** Outputs of a run's steps, and the sentence of the first failed one. */
export interface RunOutcomes {
  outputs: StepOutputs;
  sentence: string | undefined;
}

/** Loads the recorded outcomes of a run's steps. */
export async function loadOutcomes(org: Organization, guid: string, run: number): Promise<RunOutcomes> {
  const prefix = stepKey(guid, run, "").sort;
  const { items } = await org.records.query<StepOutcome>({ partition: `job/${guid}`, prefix, limit: 100 });
  const outputs: Record<string, unknown> = {};
  const modelUses: ModelUse[] = [];
  let sentence: string | undefined;
  for (const { value } of items) {
    if (value.outcome === "done") outputs[value.step] = value.output;
    else sentence ??= value.sentence;
    if (MODEL_STEPS.has(value.step)) modelUses.push((value.output ?? {}) as ModelUse);
  }
  const traceKey = modelUses.findLast((one) => one.traceKey !== undefined)?.traceKey;
  const modelUse = { uses: modelUses.flatMap(({ uses = [] }) => uses), ...(traceKey ? { traceKey } : {}) };
  return { outputs: { ...(outputs as StepOutputs), modelUse }, sentence };
}

/** True when a step has produced the run's result. */
export const hasResult = ({ extract, reduce, transcribe, describe, operate }: StepOutputs): boolean =>
  [extract, reduce, transcribe, describe, operate].some((output) => output !== undefined);

/** The reading, of `recognize` or `collect`. */
export function findReading({ recognize, collect }: StepOutputs): ReadingOutput | undefined {
  if (collect !== undefined) return collect;
  return recognize === undefined || "waiting" in recognize ? undefined : recognize;
}

/**
 * The sentence of an error that a machine caught; `cause` is Lambda's JSON {errorType, errorMessage}.
 * @returns undefined for errors whose messages are not meant for callers
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

/** Outcome of a pipeline run whose nodes have ended. */
export interface PipelineOutcome {
  /** The node whose result is the public one. */
  chosenFinal?: string;
  /** The sentence of the node that ended the run. */
  fatalError?: string;
  /** The sentence of a failed run: that of the fatal node, or of the final nodes. */
  error?: string;
  hasSources: boolean;
  partial: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  engine: string | null;
  confidence: number | null;
  /** Model use of all nodes, also of failed ones. */
  uses: LlmUse[];
}

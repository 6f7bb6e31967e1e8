/**
 * Extraction with a model, from layout to data that fits its schema, with faults for what is missing. Model calls are
 * made here; the engine's tasks process the document, the schema and the answers.
 */

import type { CheckedData } from "../../engine/extraction/answers/check-data.ts";
import { CORRECTIONS_SCHEMA } from "../../engine/extraction/answers/corrections.ts";
import type { RejectedRow, StatedLimit } from "../../engine/extraction/answers/stated-limits.ts";
import { repairPrompt } from "../../engine/extraction/prompts/check-prompt.ts";
import type { ModelMode } from "../../engine/extraction/prompts/extraction-plan.ts";
import type { DataFault } from "../../engine/schema/data-faults.ts";
import { concludeDataTask } from "../../engine/tasks/conclude-data.ts";
import { correctDataTask } from "../../engine/tasks/correct-data.ts";
import { planModelTask } from "../../engine/tasks/plan-model.ts";
import { AppError, JobFailure } from "../../ports/errors.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { type AnsweredBatch, BatchCalls } from "./batch-calls.ts";
import { type Completion, completeRows } from "./complete-rows.ts";
import { runSteps } from "./extract-in-steps.ts";
import type { ExtractionRun, ModelExtractionCollaborators, ModelExtractionRequest } from "./extraction-run.ts";
import type { LlmUse, RunLimits } from "./model-calls.ts";

export interface ModelExtraction {
  /** PARTIAL: values were removed or are missing; `validationErrors` lists them. */
  status: "COMPLETED" | "PARTIAL";
  /** UTF-8 JSON. */
  data: Uint8Array;
  validationErrors: DataFault[];
  uses: LlmUse[];
  /** The API's trace, UTF-8 JSON. */
  trace: Uint8Array;
  /** Name of the model. */
  engine: string;
  mode: ModelMode;
  /** Rows of the pages that the model declared to be in no list. */
  declined: RejectedRow[];
  /** Limits of lists that the answers state. */
  stated: StatedLimit[];
}

/** Most tokens of data that is repaired as a whole; of longer data, only the faulty values are requested. */
const MAX_WHOLE_REPAIR_TOKENS = 16_000;
/** Largest share of the longest answer that such data may fill. */
const WHOLE_REPAIR_ANSWER_SHARE = 0.7;

const CUT_ROWS_FAULT = "may lack rows: the model's answer was cut off at its greatest length";

const withoutPrefix = (sentence: string): string => sentence.replace(/^Processing failed: /, "");

const decoder = new TextDecoder();

/** Asks the model once to repair faults of the data. @returns the repaired data where it is better */
async function repair(run: ExtractionRun, checked: CheckedData): Promise<CheckedData> {
  const { plan, collaborators, limits } = run;
  const { calls, engine } = collaborators;
  const text = decoder.decode(checked.data);
  const whole =
    estimateTokens(text) <= Math.min(MAX_WHOLE_REPAIR_TOKENS, calls.facts.answerTokens * WHOLE_REPAIR_ANSWER_SHARE);
  const { schema, wrapped } = plan.whole;
  const fence = calls.fence();
  const prompt = repairPrompt({
    fence,
    pages: plan.pages,
    schema: plan.schema,
    wrapped,
    data: whole ? text : checked.values,
    faults: checked.faults,
    whole,
  });
  const form = whole ? schema : CORRECTIONS_SCHEMA;
  if (calls.roomFor(prompt) < estimateTokens(whole ? text : checked.values)) {
    calls.trace.event("error", prompt.id, { response: "There is no room in the model's context for a repair" });
    return checked;
  }
  const answer = await calls.ask(prompt, {
    kind: "json",
    name: "repair",
    ...(form === undefined ? {} : { schema: form }),
  });
  if (answer.finish === "length") return checked;
  const again = await engine.run(
    correctDataTask,
    {
      schema: plan.schema,
      conventions: plan.conventions,
      data: checked.data,
      text: answer.text,
      wrapped,
      ...(plan.list === undefined ? {} : { list: plan.list }),
      before: { faultCount: checked.faultCount, ofWhole: checked.faults.some(({ pointer }) => pointer === "") },
      ...(whole ? {} : { pointers: checked.faults.map(({ pointer }) => pointer) }),
    },
    limits,
  );
  return again ?? checked;
}

/** Extracts by one request; by several when its answer is cut off. */
async function runSimple(run: ExtractionRun): Promise<CheckedData> {
  const batches = new BatchCalls(run);
  const [whole] = run.plan.batches;
  if (whole === undefined) throw new JobFailure("Processing failed: There is nothing to extract");
  const answered = await batches.ask(whole);
  if (!answered.cut) return batches.read([answered]);
  const { trace } = run.collaborators.calls;
  const parts = run.plan.parts.filter(({ kind }) => kind !== "whole");
  if (parts.length === 0) throw batches.cutOffFailure();
  trace.event("error", "answer cut off", { response: `The answer was too long; asked again in ${parts.length} parts` });
  const answers: AnsweredBatch[] = await batches.askAll(parts);
  return batches.read(answers);
}

/** Completes the data with rows that the pages show and the answer lacks. */
async function complete(run: ExtractionRun, checked: CheckedData): Promise<Completion> {
  const { request, collaborators, plan, limits } = run;
  const { calls, engine, countsRows = false } = collaborators;
  if (!countsRows) return { data: checked.data, declined: [], lists: [] };
  const batches = new BatchCalls(run);
  const { layout, prompt, date, before } = request;
  return completeRows(
    {
      layout,
      data: checked.data,
      schema: plan.schema,
      general: request.schema === undefined && prompt === undefined,
      pages: plan.pages,
      conventions: plan.conventions,
      stated: run.statedLimits,
      ...(prompt === undefined ? {} : { prompt }),
      ...(date === undefined ? {} : { date }),
      ...(before === undefined ? {} : { before }),
    },
    { calls, engine, picturesOf: (numbers) => batches.picturesOf(numbers) },
    limits,
  );
}

function tracePlan({ plan, collaborators }: ExtractionRun): void {
  const { trace } = collaborators.calls;
  trace.setMode(plan.mode);
  const { mode, reason, tokens } = plan;
  const batches = plan.batches.map(({ id, names, pages }) => ({ id, names, pages }));
  const unexpressed = plan.whole.unexpressed;
  trace.event("chain_start", plan.mode, { response: JSON.stringify({ mode, reason, tokens, batches, unexpressed }) });
}

async function extract(run: ExtractionRun): Promise<Omit<ModelExtraction, "uses" | "trace">> {
  const { plan, request, collaborators, limits } = run;
  const { calls, engine } = collaborators;
  tracePlan(run);
  let checked = plan.mode === "STEPS" ? await runSteps(run) : await runSimple(run);
  const faulty = checked;
  if (faulty.faultCount > 0) checked = await calls.ifPaid(() => repair(run, faulty), faulty);
  const { data, declined, lists } = await complete(run, checked);
  // Lists with cut-off rows that were not counted may lack rows.
  const cut = [...run.cutLists].filter((pointer) => !lists.some(({ path, counted }) => counted && path === pointer));
  const { schema } = plan;
  const userSchema = request.schema === undefined ? {} : { userSchema: request.schema };
  const concluded = await engine.run(concludeDataTask, { data, schema, ...userSchema }, limits);
  const { faults, faultCount } = concluded;
  const more = faultCount - faults.length;
  const rest = more > 0 ? [{ pointer: "", message: `and ${more} more that are not listed` }] : [];
  const cutFaults = cut.map((pointer) => ({ pointer, message: CUT_ROWS_FAULT }));
  const unpaid = calls.unpaid === undefined ? [] : [{ pointer: "", message: withoutPrefix(calls.unpaid.message) }];
  const status = faultCount + cutFaults.length + unpaid.length === 0 ? "COMPLETED" : "PARTIAL";
  calls.trace.event("chain_end", plan.mode, { response: status });
  return {
    status,
    data: concluded.data,
    validationErrors: [...unpaid, ...faults, ...rest, ...cutFaults],
    engine: calls.facts.model,
    mode: plan.mode,
    declined,
    stated: run.statedLimits,
  };
}

/**
 * Extracts a document's data with a model. Values that do not fit the schema are requested once more, then removed and
 * listed: COMPLETED data always fits its schema. Work that the run's tokens do not pay for is left out, and listed too.
 * @throws JobFailure with one sentence: the model refused or did not answer with JSON, its answer was cut off, the
 * document is too long, nothing fits the schema, the schema cannot be compiled, the time is over; AppErrors of the
 * collaborators. `collaborators.calls` has the trace and the token use, also after a failure.
 */
export async function extractWithModel(
  request: ModelExtractionRequest,
  collaborators: ModelExtractionCollaborators,
  limits: RunLimits,
): Promise<ModelExtraction> {
  const { calls, engine } = collaborators;
  const { layout, schema, prompt, mode, pageRange, findings, part, list } = request;
  try {
    calls.checkTime();
    const planRequest = {
      facts: { contextTokens: calls.facts.contextTokens, answerTokens: calls.facts.answerTokens },
      pictures: calls.facts.takesImages && collaborators.pictureOf !== undefined,
      ...(schema === undefined ? {} : { schema }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(mode === undefined ? {} : { mode }),
      ...(pageRange === undefined ? {} : { pageRange }),
      ...(findings === undefined ? {} : { findings }),
      ...(part === undefined ? {} : { part }),
      ...(list === undefined ? {} : { list }),
    };
    const plan = await engine.run(planModelTask, { layout, request: planRequest }, limits);
    const done = await extract({ request, collaborators, limits, plan, cutLists: new Set(), statedLimits: [] });
    return { ...done, uses: calls.uses(), trace: calls.trace.toJson(done.status) };
  } catch (error) {
    const message = error instanceof AppError ? error.message : "The service made an error";
    calls.trace.event("error", "extraction", { response: message });
    if (error instanceof AppError) throw error;
    throw new AppError("InternalServerError", "The extraction made an error", { cause: error });
  }
}

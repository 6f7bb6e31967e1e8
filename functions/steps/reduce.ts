import type { RowStatements } from "../engine/extraction/answers/stated-limits.ts";
import { pagesText } from "../engine/extraction/chunks/layout-chunks.ts";
import { wholeSchemaOf } from "../engine/extraction/chunks/record-form.ts";
import type { DataFault } from "../engine/schema/data-faults.ts";
import type { ChunkPlan } from "../engine/tasks/plan-chunks.ts";
import { reduceChunkAnswersTask } from "../engine/tasks/reduce-chunk-answers.ts";
import { JobFailure, timeoutSentence } from "../ports/errors.ts";
import { TraceMerger } from "../service/extraction/model-trace.ts";
import { modelOf } from "../service/organizations/engines.ts";
import { type ChunkFacts, HEADER_CHUNK, loadChunkOutcomes, loadTally } from "../service/runs/chunk-outcomes.ts";
import { artifactKey, type StepOutcome } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { sentenceOfCause } from "../service/runs/step-outcomes.ts";
import { MODEL_GIVE_UP_MS } from "./ask-model.ts";
import { defineStep } from "./define-step.ts";
import { loadPlan } from "./load-chunk-plan.ts";
import { loadLayout } from "./load-layout.ts";
import { recordsPrompt } from "./records-prompt.ts";
import { DOCUMENT_TRACE } from "./trace-rules.ts";
import { type LocatedResult, withReceipt } from "./with-receipt.ts";
import { withoutUnsure } from "./without-unsure.ts";

const JSON_TYPE = { contentType: "application/json" };
/** Files read concurrently. */
const MAX_CONCURRENT_READS = 16;

type Outcomes = ReadonlyMap<number, StepOutcome>;

const factsOf = (outcome: StepOutcome | undefined): Partial<ChunkFacts> =>
  (outcome?.output ?? {}) as Partial<ChunkFacts>;

/** Reads files in the order of their keys; skips missing ones. */
async function* readFiles({ org }: StepRun, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < keys.length; at += MAX_CONCURRENT_READS) {
    const some = await Promise.all(keys.slice(at, at + MAX_CONCURRENT_READS).map((key) => org.blobs.get(key)));
    for (const bytes of some) if (bytes !== undefined) yield bytes;
  }
}

const inChunkOrder = (outcomes: Outcomes): StepOutcome[] =>
  [...outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);

/** Stores the merged trace of all chunks. */
async function keepTrace(
  context: StepRun,
  command: RunCommand,
  outcomes: Outcomes,
  status: "COMPLETED" | "PARTIAL" | "FAILED",
): Promise<void> {
  if (command.trace !== true) return;
  const { org, job, run } = context;
  const keys = inChunkOrder(outcomes).flatMap((outcome) => factsOf(outcome).traceKey ?? []);
  const merger = new TraceMerger();
  const document = await org.blobs.get(artifactKey(job.guid, run.run, DOCUMENT_TRACE));
  if (document !== undefined) merger.add(document);
  for await (const part of readFiles(context, keys)) merger.add(part);
  const { clock } = org.engines;
  const trace = merger.toJson({ clock, jobId: job.guid, tier: command.llm ?? "DEFAULT" }, status);
  if (trace === undefined) return;
  const traceKey = artifactKey(job.guid, run.run, "trace.json");
  await org.blobs.put(traceKey, trace, JSON_TYPE);
  context.recordedFacts.traceKey = traceKey;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const reasonOf = (outcome: StepOutcome | undefined): string =>
  (outcome?.sentence ?? INTERNAL_SENTENCE).replace(/^Processing failed: /, "");

/** Faults for the missing parts of the result: failed chunks, by their pages, and a missing header. */
function missingPartFaults(plan: ChunkPlan, outcomes: Outcomes, processedChunks: number): DataFault[] {
  const faults: DataFault[] = [];
  const header = outcomes.get(HEADER_CHUNK);
  if (plan.header?.length === 0) {
    faults.push({ pointer: "/header", message: "none of the header's pages is in the document" });
  } else if (plan.header !== null && header?.outcome !== "done") {
    faults.push({ pointer: "/header", message: `the header is missing: ${reasonOf(header)}` });
  }
  for (const [index, { pages }] of plan.chunks.slice(0, processedChunks).entries()) {
    const outcome = outcomes.get(index);
    if (outcome?.outcome === "done") continue;
    const verb = pages.length === 1 ? "is" : "are";
    faults.push({
      pointer: "/records",
      message: `${capitalize(pagesText(pages))} ${verb} missing: ${reasonOf(outcome)}`,
    });
  }
  return faults;
}

/** @throws JobFailure when no chunk succeeded */
function checkOutcomes(plan: ChunkPlan, outcomes: Outcomes): void {
  const planned = [...(plan.header?.length ? [HEADER_CHUNK] : []), ...plan.chunks.keys()];
  const chunks = plan.chunks.length > 0 ? [...plan.chunks.keys()] : planned;
  if (chunks.length === 0 || chunks.some((index) => outcomes.get(index)?.outcome === "done")) return;
  const failed = chunks.map((index) => outcomes.get(index)).find((outcome) => outcome !== undefined);
  throw new JobFailure(failed?.sentence ?? INTERNAL_SENTENCE);
}

/** Adds the receipt of the merged result. Missing rows were requested again by each chunk. */
async function addReceipt(
  context: StepRun,
  command: RunCommand,
  plan: ChunkPlan,
  result: LocatedResult,
  statements: RowStatements,
  stop: number,
  layout: Uint8Array,
) {
  const schema = wholeSchemaOf(plan.form);
  if (schema === undefined) return { ...result, report: {} };
  // After an early stop the rest of the document is left out on purpose.
  const processed = stop > 0 ? plan.chunks.slice(0, stop) : plan.chunks;
  const pages = processed.flatMap((chunk) => chunk.pages);
  const { granularity } = command;
  const prompt = recordsPrompt(command);
  const request = { granularity, schema, ...(prompt === undefined ? {} : { prompt }) };
  return withReceipt(context, request, layout, result, { ...statements, pages });
}

async function reduceRun(
  context: StepRun,
  command: RunCommand,
  plan: ChunkPlan,
  outcomes: Outcomes,
  layout: Uint8Array,
) {
  const { org, job, run, deadline } = context;
  checkOutcomes(plan, outcomes);
  const { stop = 0 } = (await loadTally(org, job.guid, run.run)) ?? {};
  const done = [...plan.chunks.keys()].filter((index) => outcomes.get(index)?.outcome === "done");
  const keys = done.map((index) => factsOf(outcomes.get(index)).answerKey ?? "");
  const chunks: { pages: number[]; answer: Uint8Array }[] = [];
  for await (const answer of readFiles(context, keys)) {
    chunks.push({ pages: plan.chunks[done[chunks.length] ?? 0]?.pages ?? [], answer });
  }
  const headerKey = factsOf(outcomes.get(HEADER_CHUNK)).answerKey;
  const header = headerKey === undefined ? undefined : await org.blobs.get(headerKey);
  const engine = inChunkOrder(outcomes)
    .map((outcome) => factsOf(outcome).engine)
    .find((name) => name !== undefined);
  const dedupKey = command.mapReduce?.dedupKey;
  const task = {
    form: plan.form,
    chunks,
    held: modelOf(org.engines, command.llm) !== null,
    lacks: missingPartFaults(plan, outcomes, stop > 0 ? stop : plan.chunks.length),
    granularity: command.granularity,
    pages: plan.pages,
    ...(header === undefined ? {} : { header }),
    ...(dedupKey === undefined ? {} : { dedupKey }),
  };
  const { faults, statements, ...reduced } = await org.engines.documents.run(reduceChunkAnswersTask, task, {
    deadline,
  });
  const { report, ...counted } = await addReceipt(context, command, plan, reduced, statements, stop, layout);
  const { form, headerSchema } = plan;
  const reducedForm = { form, ...(headerSchema === undefined ? {} : { headerSchema }) };
  const merged = await withoutUnsure(context, command, counted, { reduced: reducedForm });
  return {
    ...merged,
    faults,
    report,
    engine: engine ?? modelOf(org.engines, command.llm)?.facts(command.llm ?? "DEFAULT").model ?? "offline",
  };
}

/** The sentence for chunks that did not end as a whole, mostly because the run's time was over. */
function sentenceOfEnd({ org, deadline }: StepRun, cause: string | undefined): string {
  const isLate = org.engines.clock.now() >= deadline - MODEL_GIVE_UP_MS;
  return isLate ? timeoutSentence(org.config.jobTimeoutSeconds) : (sentenceOfCause(cause) ?? INTERNAL_SENTENCE);
}

/**
 * Merges the answers of all chunks into one result. After a failure of the chunks as a whole, keeps their trace only.
 */
export const reduce = defineStep(async (org, input) =>
  runStep(org, input, "reduce", async (context) => {
    const command = await context.readCommand();
    const outcomes = await loadChunkOutcomes(org, input.guid, input.run);
    try {
      if (input.failure !== undefined) throw new JobFailure(sentenceOfEnd(context, input.failure.Cause));
      const { plan } = await loadPlan(context);
      const layout = await loadLayout(context);
      const { result, sources, faults, facts, report, engine } = await reduceRun(
        context,
        command,
        plan,
        outcomes,
        layout,
      );
      const resultKey = artifactKey(input.guid, input.run, "result.json");
      const sourcesKey = artifactKey(input.guid, input.run, "result.sources.json");
      await org.blobs.put(resultKey, result, JSON_TYPE);
      await org.blobs.put(sourcesKey, sources, JSON_TYPE);
      const partial = faults.length > 0 ? { partial: true, validationErrors: faults } : {};
      const outcome = { ...report, ...partial };
      await keepTrace(context, command, outcomes, outcome.partial === true ? "PARTIAL" : "COMPLETED");
      return { facts: { resultKey, sourcesKey, engine, ...facts, ...outcome } };
    } catch (error) {
      await keepTrace(context, command, outcomes, "FAILED");
      throw error;
    }
  }),
);

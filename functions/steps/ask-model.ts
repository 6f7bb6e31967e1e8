/** Calls to a model within a run: in its time, traced, with usage counted. */

import { JobFailure, timeoutSentence } from "../ports/errors.ts";
import type { LanguageModel } from "../ports/llm.ts";
import type { ReadOnlyTool } from "../ports/tools.ts";
import { callBudgetOf } from "../service/charges/work-budget.ts";
import { ModelCalls, type RunLimits } from "../service/extraction/model-calls.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";

/**
 * A model's driver gives up at most this long before the deadline, instead of starting a wait that would outlast it.
 */
export const MODEL_GIVE_UP_MS = 250;

interface AskModelOptions<T> {
  statusOf?: (done: T) => "COMPLETED" | "PARTIAL";
  /** Name of the trace's file among the run's files. */
  traceName?: string;
  tools?: readonly ReadOnlyTool[];
}

/**
 * Runs `work` with calls to the model. Keeps trace and token usage, also of work that fails.
 * @throws what `work` throws; JobFailure with the timeout's sentence past the run's deadline
 */
export async function askModel<T>(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  work: (calls: ModelCalls, limits: RunLimits) => Promise<T>,
  { statusOf = () => "COMPLETED", traceName = "trace.json", tools = [] }: AskModelOptions<T> = {},
): Promise<T> {
  const { org, job, run, deadline, answers } = context;
  const { clock } = org.engines;
  const limits = { deadline, timeoutSeconds: org.config.jobTimeoutSeconds };
  const tier = command.llm ?? "DEFAULT";
  const budget = callBudgetOf(org, run.billing, tier, model.facts(tier).providerKey);
  const calls = new ModelCalls({
    model,
    clock,
    tier,
    jobId: job.guid,
    limits,
    tools,
    answers,
    ...(budget === undefined ? {} : { budget }),
    ...(command.reasoningEffort === undefined ? {} : { reasoningEffort: command.reasoningEffort }),
  });
  const keep = async (status: "COMPLETED" | "PARTIAL" | "FAILED"): Promise<void> => {
    context.recordedFacts.uses = calls.uses();
    if (command.trace !== true) return;
    const traceKey = artifactKey(job.guid, run.run, traceName);
    await org.blobs.put(traceKey, calls.trace.toJson(status), { contentType: "application/json" });
    context.recordedFacts.traceKey = traceKey;
  };
  try {
    const done = await work(calls, limits);
    await keep(statusOf(done));
    return done;
  } catch (error) {
    await keep("FAILED");
    // The error of a call cut off by the deadline says only that no answer came.
    if (clock.now() >= deadline - MODEL_GIVE_UP_MS) throw new JobFailure(timeoutSentence(limits.timeoutSeconds));
    throw error;
  }
}

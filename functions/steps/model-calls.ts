/** Asking a model within a run: its time, its trace, what it used. */

import { JobFailure, timeoutSentence } from "../ports/errors.ts";
import type { LanguageModel } from "../ports/llm.ts";
import type { ReadOnlyTool } from "../ports/tools.ts";
import { ModelCalls, type RunLimits } from "../service/extraction/model-calls.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";

/** A model's driver gives up so much before the deadline at most, rather than begin a wait that would outlast it. */
export const LAST_MOMENT_MS = 250;

interface AskingOptions<T> {
  statusOf?: (done: T) => "COMPLETED" | "PARTIAL";
  /** The file of the trace, among those of the run. */
  traceName?: string;
  tools?: readonly ReadOnlyTool[];
}

/**
 * Trace and token use are kept whatever the end is.
 * @throws what `work` throws; JobFailure with the timeout's sentence where the run's time was over
 */
export async function askWithin<T>(
  context: StepRun,
  model: LanguageModel,
  command: RunCommand,
  work: (calls: ModelCalls, limits: RunLimits) => Promise<T>,
  { statusOf = () => "COMPLETED", traceName = "trace.json", tools = [] }: AskingOptions<T> = {},
): Promise<T> {
  const { org, job, run, deadline, answers } = context;
  const { clock } = org.engines;
  const limits = { deadline, timeoutSeconds: org.config.jobTimeoutSeconds };
  const calls = new ModelCalls({
    model,
    clock,
    tier: command.llm ?? "DEFAULT",
    jobId: job.guid,
    limits,
    tools,
    answers,
    ...(command.reasoningEffort === undefined ? {} : { reasoningEffort: command.reasoningEffort }),
  });
  const keep = async (status: "COMPLETED" | "PARTIAL" | "FAILED"): Promise<void> => {
    context.kept.uses = calls.uses();
    if (command.trace !== true) return;
    const traceKey = artifactKey(job.guid, run.run, traceName);
    await org.blobs.put(traceKey, calls.trace.toJson(status), { contentType: "application/json" });
    context.kept.traceKey = traceKey;
  };
  try {
    const done = await work(calls, limits);
    await keep(statusOf(done));
    return done;
  } catch (error) {
    await keep("FAILED");
    // A call that the run's end cut short says only that no answer came.
    if (clock.now() >= deadline - LAST_MOMENT_MS) throw new JobFailure(timeoutSentence(limits.timeoutSeconds));
    throw error;
  }
}

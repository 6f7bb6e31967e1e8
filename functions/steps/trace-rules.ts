/** The trace of an extraction without a model: what was tried, the rule that gave each value, and times. */

import type { Explanation } from "../engine/extraction/rules/extract-offline.ts";
import { TraceRecorder } from "../service/extraction/model-trace.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import type { ExtractionPart } from "./extraction-part.ts";

/** Mode that a trace names for an extraction by rules. */
const RULES_MODE = "RULES";

/** File of the trace of a document whose records are read before it is cut into chunks. */
export const DOCUMENT_TRACE = "document.trace.json";

export interface RulesTrace {
  /** Runs a part of the work between two events of its name. */
  timed<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Runs a tool between two events, with its argument and its finding. */
  called(name: string, argument: string, work: () => Promise<string>): Promise<void>;
  /** Adds an event for each field and list. */
  explain(explanations: readonly Explanation[]): void;
}

const NO_TRACE: RulesTrace = {
  timed: (_, work) => work(),
  called: async (_, __, work) => void (await work()),
  explain: () => undefined,
};

function recordTo(recorder: TraceRecorder): RulesTrace {
  return {
    async timed(name, work) {
      const since = recorder.event("chain_start", name);
      const done = await work();
      recorder.event("chain_end", name, { since });
      return done;
    },
    async called(name, argument, work) {
      const since = recorder.event("tool_start", name, { response: argument });
      recorder.event("tool_end", name, { response: await work(), since });
    },
    explain(explanations) {
      for (const { pointer, ...how } of explanations)
        recorder.event("chain_end", pointer, { response: JSON.stringify(how) });
    },
  };
}

/** Runs an extraction by rules; keeps its trace where the command asks for one, also of work that fails. */
export async function traceRules<T extends { partial?: boolean }>(
  context: StepRun,
  command: Pick<RunCommand, "trace" | "llm">,
  part: Pick<ExtractionPart, "name" | "pages" | "traceName"> | undefined,
  work: (trace: RulesTrace) => Promise<T>,
): Promise<T> {
  if (command.trace !== true) return work(NO_TRACE);
  const { org, job, run } = context;
  const { clock } = org.engines;
  const recorder = new TraceRecorder({ clock, jobId: job.guid, tier: command.llm ?? "DEFAULT" });
  recorder.setMode(RULES_MODE);
  if (part !== undefined) recorder.event("chain_start", part.name, { response: part.pages });
  const keep = async (status: "COMPLETED" | "PARTIAL" | "FAILED"): Promise<void> => {
    const traceKey = artifactKey(job.guid, run.run, part?.traceName ?? "trace.json");
    await org.blobs.put(traceKey, recorder.toJson(status), { contentType: "application/json" });
    context.recordedFacts.traceKey = traceKey;
  };
  try {
    const done = await work(recordTo(recorder));
    await keep(done.partial === true ? "PARTIAL" : "COMPLETED");
    return done;
  } catch (error) {
    recorder.event("error", "rules");
    await keep("FAILED");
    throw error;
  }
}

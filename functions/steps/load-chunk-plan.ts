/** Loading of the plan of a run in chunks. */
import type { ChunkPlan } from "../engine/tasks/plan-chunks.ts";
import { JobFailure } from "../ports/errors.ts";
import { parseJsonBytes } from "../ports/json.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { findReading } from "../service/runs/step-outcomes.ts";

/** Loads the run's plan and the key of its layout. @throws JobFailure for a run without chunks */
export async function loadPlan({
  org,
  readOutcomes,
}: Pick<StepRun, "org" | "readOutcomes">): Promise<{ plan: ChunkPlan; layoutKey: string }> {
  const { outputs } = await readOutcomes();
  const bytes = outputs.chunk === undefined ? undefined : await org.blobs.get(outputs.chunk.planKey);
  const layoutKey = findReading(outputs)?.layoutKey;
  if (bytes === undefined || layoutKey === undefined) throw new JobFailure(INTERNAL_SENTENCE);
  return { plan: parseJsonBytes<ChunkPlan>(bytes), layoutKey };
}

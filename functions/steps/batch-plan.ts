import { planBatch } from "../service/batches/batch-runs.ts";
import { defineBatchStep } from "./define-batch-step.ts";

/** Plans the Map of a batch's run. Fails for a run that has ended meanwhile. */
export const batchPlan = defineBatchStep(async (org, { guid, run, documentMachine }) => {
  const plan = await planBatch(org, guid, run, documentMachine);
  if (plan === null) throw new Error("The batch's run has ended");
  return plan;
});

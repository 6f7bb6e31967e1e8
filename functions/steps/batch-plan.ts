import { planBatch } from "../service/batches/batch-runs.ts";
import { defineBatchStep } from "./batch.ts";

/** What the Map of a batch's run goes over. A run that has ended in the meantime has nothing to go over. */
export const batchPlan = defineBatchStep(async (org, { guid, run, documentMachine }) => {
  const plan = await planBatch(org, guid, run, documentMachine);
  if (plan === null) throw new Error("The batch's run has ended");
  return plan;
});

import { keepBatchResults } from "../service/batches/batch-results.ts";
import { settleBatch, settleOpenDocuments } from "../service/lifecycle/settle-batch.ts";
import { runId } from "../service/runs/job-records.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { defineBatchStep } from "./define-batch-step.ts";

/** Ends a batch's run, its list first: a result can be read no later than its terminal status can be seen. */
export const batchSettle = defineBatchStep(async (org, { guid, run }) => {
  if ((await org.records.due(runId(guid, run))) === undefined) return { status: "ENDED" };
  await settleOpenDocuments(org, guid, run, INTERNAL_SENTENCE);
  const resultKey = await keepBatchResults(org, guid, run, INTERNAL_SENTENCE);
  return { status: await settleBatch(org, guid, run, { resultKey, unfinished: INTERNAL_SENTENCE }) };
});

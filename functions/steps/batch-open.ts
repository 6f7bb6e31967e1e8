import { openDocument } from "../service/batches/batch-runs.ts";
import { defineBatchStep, indexOf } from "./define-batch-step.ts";

/** Opens the run of one document of a batch. */
export const batchOpen = defineBatchStep((org, input) =>
  openDocument(org, input.guid, input.run, indexOf(input), input.documentMachine),
);

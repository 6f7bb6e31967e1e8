import { closeDocument } from "../service/lifecycle/settle-batch.ts";
import { defineBatchStep, indexOf } from "./define-batch-step.ts";

/** Ends the document that a failed iteration left open. */
export const batchClose = defineBatchStep((org, input) =>
  closeDocument(org, input.guid, input.run, indexOf(input), input.failure?.Cause),
);

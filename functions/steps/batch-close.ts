import { closeDocument } from "../service/lifecycle/settle-batch.ts";
import { defineBatchStep, indexOf } from "./batch.ts";

/** Ends what an iteration that met an error left open. */
export const batchClose = defineBatchStep((org, input) =>
  closeDocument(org, input.guid, input.run, indexOf(input), input.failure?.Cause),
);

import * as z from "zod";
import type { ComputeAnswer, ComputeTask } from "../nodes/compute-node.ts";
import { defineTask } from "./define-task.ts";
import { bytes, shaped } from "./shapes.ts";

/**
 * Computes a node's result from the results of other nodes. Throws JobFailure for an input of another form than the
 * node needs, and for a result that is too large.
 */
export const computeNodeValueTask = defineTask({
  name: "computeNode",
  input: shaped<ComputeTask>(
    z.looseObject({
      node: z.looseObject({ id: z.string() }),
      nodes: z.custom<ReadonlyMap<string, unknown>>((value) => value instanceof Map),
    }),
  ),
  output: shaped<ComputeAnswer>(
    z.object({ result: bytes, sources: bytes.exactOptional(), facts: z.record(z.string(), z.string().nullable()) }),
  ),
});

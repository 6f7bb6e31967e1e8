import * as z from "zod";
import type { Batch } from "../extraction/prompts/field-batches.ts";
import { defineTask } from "./define-task.ts";
import { shaped } from "./shapes.ts";

/** A request whose answer is too long, as two; none where it cannot be halved. */
export const halveBatchTask = defineTask({
  name: "halveModelBatch",
  input: z.object({ batch: shaped<Batch>(z.looseObject({})) }),
  output: shaped<Batch[]>(z.array(z.looseObject({}))),
});

import * as z from "zod";
import type { Batch } from "../extraction/prompts/field-batches.ts";
import { defineTask } from "./define-task.ts";
import { shaped } from "./shapes.ts";

/** Splits a request whose answer is too long in two; empty where it cannot be split. */
export const halveBatchTask = defineTask({
  name: "halveModelBatch",
  input: z.object({ batch: shaped<Batch>(z.looseObject({})) }),
  output: shaped<Batch[]>(z.array(z.looseObject({}))),
});

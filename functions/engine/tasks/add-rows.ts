import * as z from "zod";
import type { AddedRows, AddRowsTask } from "../completeness/merge-rows.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";
import { placedItems } from "./value-shapes.ts";

/** Merges a model's answers to requests for missing rows into the data. */
export const addRowsTask = defineTask({
  name: "addMissingRows",
  input: shaped<AddRowsTask>(z.looseObject({ data: bytes, answers: z.array(z.looseObject({ text: z.string() })) })),
  output: shaped<AddedRows>(
    z.object({ data: bytes, removed: count, declined: z.array(count), placed: placedItems, asked: placedItems }),
  ),
});

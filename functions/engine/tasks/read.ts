import * as z from "zod";
import type { ReadingOptions } from "../readers/reading.ts";
import { defineTask } from "./define-task.ts";
import { reading } from "./reading-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

/** Reads a document: bytes → layout. Throws JobFailure with the contract's sentence. */
export const readTask = defineTask({
  name: "read",
  input: z.object({ bytes, options: shaped<ReadingOptions>(z.object({ mimeType: z.string() })) }),
  output: reading,
});

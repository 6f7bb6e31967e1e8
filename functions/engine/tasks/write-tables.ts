import * as z from "zod";
import type { LossReason } from "../../ports/engine.ts";
import { UnprocessableEntity } from "../../ports/errors.ts";
import { TABLE_FORMATS } from "../exports/write-tables.ts";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

const LOSS_SENTENCES: Record<LossReason, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "it takes too long",
  crashed: "the process that wrote it failed",
};

/** Writes results as a file for a spreadsheet; `documents` is JSON, so that only bytes cross. Throws UnprocessableEntity. */
export const writeTablesTask = defineTask({
  name: "writeTables",
  input: z.object({ documents: bytes, format: z.enum(TABLE_FORMATS) }),
  output: bytes,
  lost: (reason) =>
    new UnprocessableEntity(`The table could not be written: ${LOSS_SENTENCES[reason]}; read the result as JSON`),
});

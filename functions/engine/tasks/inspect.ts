import * as z from "zod";
import type { LossReason } from "../../ports/engine.ts";
import { UnprocessableEntity } from "../../ports/errors.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

const LOSS_SENTENCES: Record<LossReason, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "opening it takes too long",
  crashed: "it appears to be corrupted",
};

/** The error for an upload that does not open. */
export const documentNotOpened = (reason: LossReason): UnprocessableEntity =>
  new UnprocessableEntity(`The document could not be opened: ${LOSS_SENTENCES[reason]}`);

/** Checks that an uploaded document opens. Throws UnprocessableEntity when it does not. */
export const inspectTask = defineTask({
  name: "inspect",
  input: z.object({ bytes, mimeType: z.string() }),
  output: z.object({ pageCount: count.nullable() }),
  lost: documentNotOpened,
});

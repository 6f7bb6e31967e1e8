import * as z from "zod";
import type { LossReason } from "../../ports/engine.ts";
import { UnprocessableEntity } from "../../ports/errors.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count } from "./shapes.ts";

const REASONS: Record<LossReason, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "opening it takes too long",
  crashed: "it appears to be corrupted",
};

/** The refusal of an upload that does not open. */
export const documentNotOpened = (reason: LossReason): UnprocessableEntity =>
  new UnprocessableEntity(`The document could not be opened: ${REASONS[reason]}`);

/** First look at an upload: does it open at all? Throws UnprocessableEntity when it does not. */
export const inspectTask = defineTask({
  name: "inspect",
  input: z.object({ bytes, mimeType: z.string() }),
  output: z.object({ pageCount: count.nullable() }),
  lost: documentNotOpened,
});

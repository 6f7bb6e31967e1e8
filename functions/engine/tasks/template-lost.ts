/** The error for work on a template that did not end. */
import type { LossReason } from "../../ports/engine.ts";
import { UnprocessableEntity } from "../../ports/errors.ts";

const LOSS_SENTENCES: Record<LossReason, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "it takes too long",
  crashed: "it appears to be damaged",
};

/** @param what could not be done, such as "The template could not be filled" */
export const templateLost =
  (what: string) =>
  (reason: LossReason): UnprocessableEntity =>
    new UnprocessableEntity(`${what}: ${LOSS_SENTENCES[reason]}`);

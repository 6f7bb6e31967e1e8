/** The error for a schema or a definition whose check did not end. */
import type { LossReason } from "../../ports/engine.ts";
import { UnprocessableEntity } from "../../ports/errors.ts";

const LOSS_SENTENCES: Record<LossReason, string> = {
  memory: "checking it needs more memory than is allowed",
  deadline: "checking it takes too long",
  crashed: "checking it failed",
};

export const jsonNotChecked =
  (what: "schema" | "pipeline") =>
  (reason: LossReason): UnprocessableEntity =>
    new UnprocessableEntity(`The ${what} could not be checked: ${LOSS_SENTENCES[reason]}; send a simpler one`);

import { describe } from "../../../functions/steps/describe.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-describe.ts";

export const handler = stepHandler(describe, {
  documents: carrying(...TASKS),
  model: languageModel,
});

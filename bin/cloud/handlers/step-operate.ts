import { operate } from "../../../functions/steps/operate.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-operate.ts";

export const handler = stepHandler(operate, {
  documents: carrying(...TASKS),
  model: languageModel,
});

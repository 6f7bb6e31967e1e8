import { run as extras } from "../../../functions/engine/tasks/extras.run.ts";
import { run as unlock } from "../../../functions/engine/tasks/unlock.run.ts";
import { enrich } from "../../../functions/steps/enrich.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(enrich, {
  documents: carrying(extras, unlock),
  documentVault,
  model: languageModel,
});

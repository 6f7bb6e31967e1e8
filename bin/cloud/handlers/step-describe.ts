import { run as describeTask } from "../../../functions/engine/tasks/describe.run.ts";
import { run as readPages } from "../../../functions/engine/tasks/read-pages.run.ts";
import { run as readSchema } from "../../../functions/engine/tasks/read-schema.run.ts";
import { describe } from "../../../functions/steps/describe.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(describe, {
  documents: carrying(describeTask, readPages, readSchema),
  model: languageModel,
});

import { run as correctLayout } from "../../../functions/engine/tasks/correct-layout.run.ts";
import { run as correctPages } from "../../../functions/engine/tasks/correct-pages.run.ts";
import { run as pagesToCorrect } from "../../../functions/engine/tasks/pages-to-correct.run.ts";
import { run as read } from "../../../functions/engine/tasks/read.run.ts";
import { run as transcribe } from "../../../functions/engine/tasks/transcribe.run.ts";
import { correctNode } from "../../../functions/steps/correct-node.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(correctNode, {
  documents: carrying(correctLayout, correctPages, pagesToCorrect, read, transcribe),
  model: languageModel,
});

import { run as analyzeErrors } from "../../../functions/engine/tasks/analyze-errors.run.ts";
import { run as chooseFigures } from "../../../functions/engine/tasks/choose-figures.run.ts";
import { run as correctPages } from "../../../functions/engine/tasks/correct-pages.run.ts";
import { run as pagesToCorrect } from "../../../functions/engine/tasks/pages-to-correct.run.ts";
import { run as readPages } from "../../../functions/engine/tasks/read-pages.run.ts";
import { run as readParts } from "../../../functions/engine/tasks/read-parts.run.ts";
import { operateNode } from "../../../functions/steps/operate-node.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { workQueue } from "../parts.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(operateNode, {
  documents: carrying(analyzeErrors, chooseFigures, correctPages, pagesToCorrect, readPages, readParts),
  model: languageModel,
  queue: workQueue,
});

import { run as receipt } from "../../../functions/engine/tasks/receipt.run.ts";
import { run as reduceChunkAnswers } from "../../../functions/engine/tasks/reduce-chunk-answers.run.ts";
import { run as withhold } from "../../../functions/engine/tasks/withhold.run.ts";
import { reduce } from "../../../functions/steps/reduce.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(reduce, {
  documents: carrying(receipt, reduceChunkAnswers, withhold),
  model: languageModel,
});

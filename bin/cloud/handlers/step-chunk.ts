import { run as planChunks } from "../../../functions/engine/tasks/plan-chunks.run.ts";
import { chunk } from "../../../functions/steps/chunk.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(chunk, { documents: carrying(planChunks), model: languageModel });

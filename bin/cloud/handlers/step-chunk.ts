import { run as extract } from "../../../functions/engine/tasks/extract.run.ts";
import { run as planChunks } from "../../../functions/engine/tasks/plan-chunks.run.ts";
import { run as receipt } from "../../../functions/engine/tasks/receipt.run.ts";
import { run as shareRecords } from "../../../functions/engine/tasks/share-records.run.ts";
import { run as withhold } from "../../../functions/engine/tasks/withhold.run.ts";
import { chunk } from "../../../functions/steps/chunk.ts";
import { carrying } from "../engine.ts";
import { languageModel } from "../model.ts";
import { stepHandler } from "../step.ts";

export const handler = stepHandler(chunk, {
  documents: carrying(extract, planChunks, receipt, shareRecords, withhold),
  model: languageModel,
});

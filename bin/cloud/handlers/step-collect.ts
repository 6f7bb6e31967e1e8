import { collect } from "../../../functions/steps/collect.ts";
import { carrying } from "../engine.ts";
import { ownOcr } from "../own-ocr.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-collect.ts";
import { textract } from "../textract.ts";

export const handler = stepHandler(collect, {
  documents: carrying(...TASKS),
  documentVault,
  ocr: textract,
  ownOcr,
});

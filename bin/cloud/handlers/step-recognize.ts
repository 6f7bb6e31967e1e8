import { recognize } from "../../../functions/steps/recognize.ts";
import { carrying } from "../engine.ts";
import { ownOcr } from "../own-ocr.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { TASKS } from "../tasks/step-recognize.ts";
import { textract } from "../textract.ts";

export const handler = stepHandler(recognize, {
  documents: carrying(...TASKS),
  documentVault,
  ocr: textract,
  ownOcr,
});

import { run as complete } from "../../../functions/engine/tasks/complete.run.ts";
import { run as picture } from "../../../functions/engine/tasks/picture.run.ts";
import { run as picturesPdf } from "../../../functions/engine/tasks/pictures-pdf.run.ts";
import { run as read } from "../../../functions/engine/tasks/read.run.ts";
import { run as unlock } from "../../../functions/engine/tasks/unlock.run.ts";
import { recognize } from "../../../functions/steps/recognize.ts";
import { carrying } from "../engine.ts";
import { documentVault } from "../parts.ts";
import { stepHandler } from "../step.ts";
import { textract } from "../textract.ts";

export const handler = stepHandler(recognize, {
  documents: carrying(complete, picture, picturesPdf, read, unlock),
  documentVault,
  ocr: textract,
});

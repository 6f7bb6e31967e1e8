import { PDF } from "../../ports/media-types.ts";
import { unlockPdf } from "../readers/pdf/unlock-pdf.ts";
import { implementTask } from "./define-task.ts";
import { unlockTask } from "./unlock.ts";

export const run = implementTask(unlockTask, ({ bytes, mimeType, password }) =>
  mimeType === PDF ? unlockPdf(bytes, password) : bytes,
);

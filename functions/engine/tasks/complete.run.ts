import { parseJsonBytes } from "../../ports/json.ts";
import { formEntries } from "../forms/entries/form-entries.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { completeDocument } from "../readers/complete-document.ts";
import type { QualityFile } from "../readers/finish-reading.ts";
import { completeTask } from "./complete.ts";
import { implementTask } from "./define-task.ts";
import { encodeReading } from "./encode-answer.ts";

export const run = implementTask(completeTask, ({ reading, recognised }) => {
  const quality = parseJsonBytes<QualityFile>(reading.quality);
  return encodeReading(completeDocument({ layout: parseLayout(reading.layout), quality }, recognised, formEntries));
});

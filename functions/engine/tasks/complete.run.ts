import { parseLayout } from "../layout/layout-file.ts";
import { completeDocument } from "../readers/complete-document.ts";
import type { QualityFile } from "../readers/finish-reading.ts";
import { completeTask } from "./complete.ts";
import { implementTask } from "./define-task.ts";
import { fromJson, writeReading } from "./write.ts";

export const run = implementTask(completeTask, ({ reading, recognised }) => {
  const quality = fromJson<QualityFile>(reading.quality);
  return writeReading(completeDocument({ layout: parseLayout(reading.layout), quality }, recognised));
});

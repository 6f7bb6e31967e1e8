import { readDocument } from "../readers/read-document.ts";
import { implementTask } from "./define-task.ts";
import { readTask } from "./read.ts";
import { writeReading } from "./write.ts";

export const run = implementTask(readTask, async ({ bytes, options }) =>
  writeReading(await readDocument(bytes, options)),
);

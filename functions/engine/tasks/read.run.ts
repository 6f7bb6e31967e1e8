import { formEntries } from "../forms/entries/form-entries.ts";
import { readDocument } from "../readers/read-document.ts";
import { implementTask } from "./define-task.ts";
import { encodeReading } from "./encode-answer.ts";
import { readTask } from "./read.ts";

export const run = implementTask(readTask, async ({ bytes, options }) =>
  encodeReading(await readDocument(bytes, options, formEntries)),
);

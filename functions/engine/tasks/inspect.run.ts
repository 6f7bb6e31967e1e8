import { inspectDocument } from "../readers/inspect-document.ts";
import { implementTask } from "./define-task.ts";
import { inspectTask } from "./inspect.ts";

export const run = implementTask(inspectTask, ({ bytes, mimeType }) => inspectDocument(bytes, mimeType));

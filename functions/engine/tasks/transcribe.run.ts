import { transcribe } from "../exports/transcription/transcribe.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { transcribeTask } from "./transcribe.ts";
import { toBytes } from "./write.ts";

export const run = implementTask(transcribeTask, ({ layout, format }) =>
  toBytes(transcribe(parseLayout(layout), format)),
);

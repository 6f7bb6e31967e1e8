import { transcribe } from "../exports/transcription/transcribe.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { encodeText } from "./encode-answer.ts";
import { transcribeTask } from "./transcribe.ts";

export const run = implementTask(transcribeTask, ({ layout, format }) =>
  encodeText(transcribe(parseLayout(layout), format)),
);

import { artifactKey } from "../core/jobs/model.ts";
import { loadCommand } from "../core/jobs/runs.ts";
import { runStep } from "../core/jobs/steps.ts";
import { loadLayout } from "./layout.ts";
import { defineStep } from "./step.ts";

const FORMATS = {
  plain: { file: "result.txt", type: "text/plain; charset=utf-8" },
  markdown: { file: "result.md", type: "text/markdown; charset=utf-8" },
  jsonl: { file: "result.jsonl", type: "application/jsonl; charset=utf-8" },
} as const;

/** The text of an OCR run, in the format that was asked for. */
export const transcribe = defineStep(async (org, input) =>
  runStep(org, input, "transcribe", async (context) => {
    const command = await loadCommand(org, context.run);
    const layout = await loadLayout(org, input);
    const { file, type } = FORMATS[command.format];
    const text = await org.engines.documents.transcribe(layout, command.format, { deadline: context.deadline });
    const resultKey = artifactKey(input.guid, input.run, file);
    await org.blobs.put(resultKey, text, { contentType: type });
    return { facts: { resultKey, resultType: type } };
  }),
);

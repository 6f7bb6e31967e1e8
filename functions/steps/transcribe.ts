import { cellsTask } from "../engine/tasks/cells.ts";
import { transcribeTask } from "../engine/tasks/transcribe.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import { XLSX } from "../ports/media-types.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { runStep, type StepRun } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { loadLayout } from "./load-layout.ts";

const FORMATS = {
  plain: { file: "result.txt", type: "text/plain; charset=utf-8" },
  markdown: { file: "result.md", type: "text/markdown; charset=utf-8" },
  jsonl: { file: "result.jsonl", type: "application/jsonl; charset=utf-8" },
} as const;

/** The run's text. EXCEL reads a workbook's typed cells from the file: its layout does not have them. */
async function textOf(context: StepRun, command: RunCommand): Promise<Uint8Array> {
  const { org, deadline } = context;
  const { documents } = org.engines;
  if (command.ocr === "EXCEL" && command.mimeType === XLSX && command.format === "jsonl") {
    // No password opens a workbook.
    const bytes = await org.blobs.get(context.job.source.key);
    if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
    return documents.run(cellsTask, { bytes }, { deadline });
  }
  return documents.run(transcribeTask, { layout: await loadLayout(context), format: command.format }, { deadline });
}

/** Writes the text of an OCR run in the requested format. */
export const transcribe = defineStep(async (org, input) =>
  runStep(org, input, "transcribe", async (context) => {
    const command = await context.readCommand();
    const { file, type } = FORMATS[command.format];
    const text = await textOf(context, command);
    const resultKey = artifactKey(input.guid, input.run, file);
    await org.blobs.put(resultKey, text, { contentType: type, later: true });
    return { facts: { resultKey, resultType: type } };
  }),
);

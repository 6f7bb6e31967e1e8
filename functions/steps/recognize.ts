import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import type { RunCommand } from "../core/jobs/command.ts";
import { artifactKey, type RunSummary } from "../core/jobs/model.ts";
import { loadCommand } from "../core/jobs/runs.ts";
import { runStep, type StepRun } from "../core/jobs/steps.ts";
import { defineStep } from "./step.ts";

/** The OCR options in the order of what they give: a run reuses the layout of one that asked for as much or more. */
const OCR_RANK: Record<string, number> = { NONE: 0, LOW: 0, DEFAULT: 1, AUTO: 1, EXCEL: 1, PREMIUM: 2 };

/** Reads the document into its layout, or takes the layout of an earlier run that asked for no less. */
export const recognize = defineStep(async (org, input) =>
  runStep(org, input, "recognize", async (context) => {
    const command = await loadCommand(org, context.run);
    const earlier = reusable(context, command);
    if (earlier?.layoutKey !== undefined && earlier.facts !== undefined) {
      return { facts: { layoutKey: earlier.layoutKey, facts: earlier.facts, reused: true } };
    }
    const bytes = await org.blobs.get(context.job.source.key);
    if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
    const { layout, facts } = await org.engines.documents.read(
      bytes,
      { mimeType: command.mimeType, ...(command.pageRange ? { pageRange: command.pageRange } : {}) },
      { deadline: context.deadline },
    );
    const layoutKey = artifactKey(input.guid, input.run, "layout/ocr.json");
    await org.blobs.put(layoutKey, layout, { contentType: "application/json" });
    return { facts: { layoutKey, facts, reused: false } };
  }),
);

/** A layout holds the pages that its run asked for, so only runs over the whole document share one. */
function reusable({ job, run }: StepRun, command: RunCommand): RunSummary | undefined {
  if (command.pageRange !== undefined) return undefined;
  return job.runs.findLast(
    (one) =>
      one.run !== run.run &&
      one.layoutKey !== undefined &&
      one.wholeDocument === true &&
      one.readAs === command.mimeType &&
      (OCR_RANK[one.ocr] ?? 0) >= (OCR_RANK[command.ocr] ?? 0),
  );
}

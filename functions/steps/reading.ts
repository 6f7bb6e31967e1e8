/** What `recognize` and `collect` share: the document to read, and the files that a reading leaves. */
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import type { Recognised, Source } from "../service/recognition/recognize-pages.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import type { ReadingOutput } from "../service/runs/step-outcomes.ts";

/** @throws JobFailure (corrupted) when the upload is gone */
export async function loadSource({ org, job, readCommand }: StepRun): Promise<Source & { command: RunCommand }> {
  const known = await readCommand();
  const bytes = await org.blobs.get(job.source.key);
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
  return { bytes, mimeType: known.mimeType, ocr: known.ocr, mayBeEmpty: known.barcodes === true, command: known };
}

const keysOf = ({ job, run }: StepRun) => ({
  layoutKey: artifactKey(job.guid, run.run, "layout/ocr.json"),
  qualityKey: artifactKey(job.guid, run.run, "layout/ocr-quality.json"),
});

/** Keeps another job's reading as this one's own, which outlives the other. @returns undefined when it is gone */
export async function copyReading(context: StepRun, reading: ReadingOutput): Promise<ReadingOutput | undefined> {
  const { blobs } = context.org;
  const [layout, quality] = [await blobs.get(reading.layoutKey), await blobs.get(reading.qualityKey)];
  if (layout === undefined || quality === undefined) return undefined;
  const keys = keysOf(context);
  await blobs.put(keys.layoutKey, layout, { contentType: "application/json" });
  await blobs.put(keys.qualityKey, quality, { contentType: "application/json" });
  return { ...reading, ...keys };
}

/** Puts layout and quality where the next steps and readers find them. */
export async function keepReading(
  context: StepRun,
  { reading, uses }: Recognised,
): Promise<{ facts: ReadingOutput & Record<string, unknown> }> {
  const { org } = context;
  const { layoutKey, qualityKey } = keysOf(context);
  await org.blobs.put(layoutKey, reading.layout, { contentType: "application/json" });
  await org.blobs.put(qualityKey, reading.quality, { contentType: "application/json" });
  return { facts: { layoutKey, qualityKey, facts: reading.facts, reused: false, uses } };
}

/** Shared by `recognize` and `collect`: loading of the document, and storing of its reading. */
import type { Recognised, RecognitionSource } from "../service/recognition/recognize-pages.ts";
import { loadDocumentBytes } from "../service/runs/document-bytes.ts";
import { artifactKey } from "../service/runs/job-records.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import type { ReadingOutput } from "../service/runs/step-outcomes.ts";

/** Loads the document with its command. @throws JobFailure for a missing file, and as `loadDocumentBytes` */
export async function loadSource(context: StepRun): Promise<RecognitionSource & { command: RunCommand }> {
  const command = await context.readCommand();
  const bytes = await loadDocumentBytes(context, command);
  return { bytes, mimeType: command.mimeType, ocr: command.ocr, mayBeEmpty: command.barcodes === true, command };
}

const readingKeys = ({ job, run }: StepRun) => ({
  layoutKey: artifactKey(job.guid, run.run, "layout/ocr.json"),
  qualityKey: artifactKey(job.guid, run.run, "layout/ocr-quality.json"),
});

/** Copies another job's reading to this job, to outlive the other. @returns undefined for a reading that is gone */
export async function copyReading(context: StepRun, reading: ReadingOutput): Promise<ReadingOutput | undefined> {
  const { blobs } = context.org;
  const [layout, quality] = [await blobs.get(reading.layoutKey), await blobs.get(reading.qualityKey)];
  if (layout === undefined || quality === undefined) return undefined;
  const keys = readingKeys(context);
  await blobs.put(keys.layoutKey, layout, { contentType: "application/json" });
  await blobs.put(keys.qualityKey, quality, { contentType: "application/json" });
  return { ...reading, ...keys };
}

/** Stores layout and quality report among the run's files. */
export async function storeReading(
  context: StepRun,
  { reading, uses, unread }: Recognised,
): Promise<{ facts: ReadingOutput & Record<string, unknown> }> {
  const { org } = context;
  const { layoutKey, qualityKey } = readingKeys(context);
  // A reading that a power failure takes is made again.
  const options = { contentType: "application/json", later: true };
  await Promise.all([
    org.blobs.put(layoutKey, reading.layout, options),
    org.blobs.put(qualityKey, reading.quality, options),
  ]);
  return { facts: { layoutKey, qualityKey, facts: reading.facts, reused: false, uses, ...(unread ? { unread } : {}) } };
}

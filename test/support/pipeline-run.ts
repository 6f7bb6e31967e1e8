/** Pipelines on a platform in memory, without a route. */
import { runOfPipeline } from "../../functions/api/schemas/pipelines.ts";
import { acceptPipeline } from "../../functions/service/pipelines/check-definition.ts";
import { createJob } from "../../functions/service/runs/job-store.ts";
import { openRun } from "../../functions/service/runs/open-run.ts";
import type { RunCommand } from "../../functions/service/runs/run-command.ts";
import type { TestPlatform } from "./platform.ts";
import { commandOf } from "./runs.ts";

/** Starts a pipeline on a document. @returns the job's GUID */
export async function startPipeline(
  { org }: TestPlatform,
  document: { bytes: Uint8Array; mimeType: string },
  pipeline: object,
  metadata?: object,
  more: Partial<RunCommand> = {},
): Promise<string> {
  const run = commandOf({ ...more, mimeType: document.mimeType });
  const command = runOfPipeline(run, { pipeline, metadata }, await acceptPipeline(org, pipeline));
  const { guid } = await createJob(org, { ...document, fileName: null });
  await openRun(org, guid, command);
  return guid;
}

/** A file of a run, parsed; null when there is none. */
export async function fileOf(
  { org }: TestPlatform,
  guid: string,
  name: string,
): Promise<ReturnType<typeof JSON.parse>> {
  const bytes = await org.blobs.get(`jobs/${guid}/1/${name}`);
  return JSON.parse(Buffer.from(bytes ?? "null").toString("utf8"));
}

/** The bytes of a run's document, as its steps read them. */
import { unlockTask } from "../../engine/tasks/unlock.ts";
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { RunCommand } from "./run-command.ts";
import { openPassword } from "./run-password.ts";
import type { StepRun } from "./run-step.ts";

/**
 * Loads the document of a run, opened with the run's password where it has one. The plain copy is never kept.
 * @throws JobFailure: the file is gone; the password is wrong, or cannot be opened
 */
export async function loadDocumentBytes(
  { org, job, run, deadline }: Pick<StepRun, "org" | "job" | "run" | "deadline">,
  { mimeType, hasPassword }: Pick<RunCommand, "mimeType" | "hasPassword">,
): Promise<Uint8Array> {
  const bytes = await org.blobs.get(job.source.key);
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
  if (hasPassword !== true) return bytes;
  const password = await openPassword(org, job, run);
  return org.engines.documents.run(unlockTask, { bytes, mimeType, password }, { deadline });
}

import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import { loadOutcomes, readingOf } from "../core/jobs/settle.ts";
import type { Organization } from "../core/organizations/organization.ts";
import type { ReadingFacts } from "../core/ports.ts";
import type { StepInput } from "./step.ts";

/** What was counted while the document was read. */
export async function loadFacts(org: Organization, { guid, run }: StepInput): Promise<ReadingFacts | undefined> {
  return readingOf((await loadOutcomes(org, guid, run)).outputs)?.facts;
}

/** The layout of this run, as UTF-8 JSON. @throws JobFailure (no text) when there is nothing */
export async function loadLayout(org: Organization, { guid, run }: StepInput): Promise<Uint8Array> {
  const { outputs } = await loadOutcomes(org, guid, run);
  const reading = readingOf(outputs);
  const layout = reading && (await org.blobs.get(reading.layoutKey));
  if (layout === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return layout;
}

import { JOB_SENTENCES, JobFailure } from "../core/errors.ts";
import { loadOutcomes } from "../core/jobs/settle.ts";
import type { Organization } from "../core/organizations/organization.ts";
import type { StepInput } from "./step.ts";

/** What `recognize` left of this run, as UTF-8 JSON. @throws JobFailure (no text) when there is nothing */
export async function loadLayout(org: Organization, { guid, run }: StepInput): Promise<Uint8Array> {
  const { outputs } = await loadOutcomes(org, guid, run);
  const layout = outputs.recognize && (await org.blobs.get(outputs.recognize.layoutKey));
  if (layout === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return layout;
}

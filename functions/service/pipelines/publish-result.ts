/** The last of a pipeline's run: the chosen result is made public. */

import type { Organization } from "../organizations/organization.ts";
import { artifactKey, runId } from "../runs/job-records.ts";
import { loadNodes, verdictOf } from "./node-statuses.ts";

const JSON_TYPE = { contentType: "application/json" };

interface Ending {
  guid: string;
  run: number;
  /** What ended it before its last node. */
  failure?: unknown;
}

async function copy(org: Organization, from: string | undefined, to: string): Promise<void> {
  const bytes = from === undefined ? undefined : await org.blobs.get(from);
  if (bytes !== undefined) await org.blobs.put(to, bytes, JSON_TYPE);
}

/** Puts result and places where a job's are. A run that is no pipeline, or has ended, is left as it is. */
export async function publishPipeline(org: Organization, ending: Ending): Promise<void> {
  const { guid, run } = ending;
  const nodes = await loadNodes(org, guid, run);
  if (nodes === undefined || (await org.records.due(runId(guid, run))) === undefined) return;
  const { chosenFinal, error } = verdictOf(nodes);
  if (ending.failure === undefined && error === undefined && chosenFinal !== undefined) {
    const { resultKey, sourcesKey } = nodes.done.get(chosenFinal)?.output ?? {};
    await copy(org, resultKey, artifactKey(guid, run, "result.json"));
    await copy(org, sourcesKey, artifactKey(guid, run, "result.sources.json"));
  }
}

/** Publishing of a pipeline's chosen result, the last part of its run. */

import type { Organization } from "../organizations/organization.ts";
import { artifactKey, runId } from "../runs/job-records.ts";
import { loadNodes, pipelineOutcomeOf } from "./node-statuses.ts";

const JSON_TYPE = { contentType: "application/json" };

interface PipelineEnd {
  guid: string;
  run: number;
  /** The failure that ended the run before its last node. */
  failure?: unknown;
}

async function copy(org: Organization, from: string | undefined, to: string): Promise<void> {
  const bytes = from === undefined ? undefined : await org.blobs.get(from);
  if (bytes !== undefined) await org.blobs.put(to, bytes, JSON_TYPE);
}

/**
 * Copies the chosen result and its source locations to the run's. Runs of other modes, and ended ones, stay as they
 * are.
 */
export async function publishPipeline(org: Organization, ending: PipelineEnd): Promise<void> {
  const { guid, run } = ending;
  const nodes = await loadNodes(org, guid, run);
  if (nodes === undefined || (await org.records.due(runId(guid, run))) === undefined) return;
  const { chosenFinal, error } = pipelineOutcomeOf(nodes);
  if (ending.failure === undefined && error === undefined && chosenFinal !== undefined) {
    const { resultKey, sourcesKey } = nodes.done.get(chosenFinal)?.output ?? {};
    await copy(org, resultKey, artifactKey(guid, run, "result.json"));
    await copy(org, sourcesKey, artifactKey(guid, run, "result.sources.json"));
  }
}

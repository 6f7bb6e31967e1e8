/** Outputs and source locations of the nodes that a value comes from. */
import { producerId } from "../../statemachines/pipeline/facts.ts";
import type { Path } from "../../statemachines/pipeline/paths.ts";
import type { SourceLocations } from "../engine/layout/source-locations.ts";
import { type Loss, lossOf } from "../engine/nodes/location-losses.ts";
import { parseJsonBytes } from "../ports/json.ts";
import type { NodeOutput } from "../service/pipelines/node-records.ts";
import type { NodeRun } from "../service/pipelines/run-node.ts";

/** Recorded outputs of nodes, by their ids. */
export type NodeOutputs = ReadonlyMap<string, Partial<NodeOutput>>;

/** Loads the outputs of the nodes that paths lead to. */
export async function loadOriginOutputs({ evaluation }: NodeRun, paths: Iterable<Path>): Promise<NodeOutputs> {
  const { definition } = evaluation;
  const outputs = new Map<string, Partial<NodeOutput>>();
  for (const path of paths) {
    const id = producerId(path, definition);
    if (id === undefined || outputs.has(id)) continue;
    const outcome = await evaluation.outcome(id);
    if (outcome?.outcome === "done") outputs.set(id, outcome.output ?? {});
  }
  return outputs;
}

/** Loads the source locations of those nodes that have some; UTF-8 JSON. */
export async function loadSourceBytes(
  { org }: NodeRun,
  outputs: NodeOutputs,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const sources = new Map<string, Uint8Array>();
  for (const [id, { sourcesKey }] of outputs) {
    const bytes = sourcesKey === undefined ? undefined : await org.blobs.get(sourcesKey);
    if (bytes !== undefined) sources.set(id, bytes);
  }
  return sources;
}

export const loadSources = async (run: NodeRun, outputs: NodeOutputs): Promise<ReadonlyMap<string, SourceLocations>> =>
  new Map(
    [...(await loadSourceBytes(run, outputs))].map(([id, bytes]) => [id, parseJsonBytes<SourceLocations>(bytes)]),
  );

/** The loss of source locations at the ends of paths; undefined where source locations are not requested. */
export async function lossAtPaths(run: NodeRun, paths: readonly Path[]): Promise<Loss | undefined> {
  if (!run.command.sourceLocations) return undefined;
  return lossOf(paths, run.evaluation.definition, await loadSources(run, await loadOriginOutputs(run, paths)));
}

/** What values that nodes are given were made of. */
import { producerId } from "../../statemachines/pipeline/facts.ts";
import type { Path } from "../../statemachines/pipeline/paths.ts";
import type { SourceLocations } from "../engine/layout/source-locations.ts";
import { type Loss, lossOf } from "../engine/nodes/location-losses.ts";
import { parseJsonBytes } from "../ports/json.ts";
import type { NodeOutput } from "../service/pipelines/node-records.ts";
import type { NodeRun } from "../service/pipelines/run-node.ts";

/** What is on record of nodes, by their ids. */
export type Made = ReadonlyMap<string, Partial<NodeOutput>>;

/** What is on record of the nodes that paths lead to. */
export async function madeOf({ world }: NodeRun, paths: Iterable<Path>): Promise<Made> {
  const { definition } = world;
  const made = new Map<string, Partial<NodeOutput>>();
  for (const path of paths) {
    const id = producerId(path, definition);
    if (id === undefined || made.has(id)) continue;
    const outcome = await world.outcome(id);
    if (outcome?.outcome === "done") made.set(id, outcome.output ?? {});
  }
  return made;
}

/** Where their values stand, as far as they have any places; UTF-8 JSON. */
export async function sourceBytesOf({ org }: NodeRun, made: Made): Promise<ReadonlyMap<string, Uint8Array>> {
  const sources = new Map<string, Uint8Array>();
  for (const [id, { sourcesKey }] of made) {
    const bytes = sourcesKey === undefined ? undefined : await org.blobs.get(sourcesKey);
    if (bytes !== undefined) sources.set(id, bytes);
  }
  return sources;
}

export const sourcesOf = async (run: NodeRun, made: Made): Promise<ReadonlyMap<string, SourceLocations>> =>
  new Map([...(await sourceBytesOf(run, made))].map(([id, bytes]) => [id, parseJsonBytes<SourceLocations>(bytes)]));

/** What the values that paths lead to have lost of their places; nothing where nobody asks for places. */
export async function lossAt(run: NodeRun, paths: readonly Path[]): Promise<Loss | undefined> {
  if (!run.command.sourceLocations) return undefined;
  return lossOf(paths, run.world.definition, await sourcesOf(run, await madeOf(run, paths)));
}

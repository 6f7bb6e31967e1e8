/** What values that nodes are given were made of. */
import { producerOf } from "../../statemachines/pipeline/facts.ts";
import { pathsIn, type Template } from "../../statemachines/pipeline/templates.ts";
import type { SourceLocations } from "../core/extraction/sources.ts";
import type { NodeRun } from "../core/pipelines/frame.ts";
import type { NodeOutput } from "../core/pipelines/model.ts";

/** What is on record of a template's nodes, by their ids. */
export type Made = ReadonlyMap<string, Partial<NodeOutput>>;

/** What is on record of the nodes that a template's value is made of. */
export async function madeOf({ world }: NodeRun, template: Template): Promise<Made> {
  const { definition } = world;
  const made = new Map<string, Partial<NodeOutput>>();
  for (const path of pathsIn(template)) {
    const producer = producerOf(path, definition);
    const id = producer === "begin" ? undefined : definition.nodes[producer]?.id;
    if (id === undefined || made.has(id)) continue;
    const outcome = await world.outcome(id);
    if (outcome?.outcome === "done") made.set(id, outcome.output ?? {});
  }
  return made;
}

/** Where their values stand, as far as they have any places. */
export async function sourcesOf({ org }: NodeRun, made: Made): Promise<ReadonlyMap<string, SourceLocations>> {
  const sources = new Map<string, SourceLocations>();
  for (const [id, { sourcesKey }] of made) {
    const bytes = sourcesKey === undefined ? undefined : await org.blobs.get(sourcesKey);
    if (bytes !== undefined) sources.set(id, JSON.parse(Buffer.from(bytes).toString("utf8")) as SourceLocations);
  }
  return sources;
}

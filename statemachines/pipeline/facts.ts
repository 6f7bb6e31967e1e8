/**
 * What a machine's state says of results: for each path that a condition reads, the fact of what stands there. The step
 * that makes a result looks its facts up; the same definition gives them the same names everywhere.
 */

import type { Operand } from "./conditions.ts";
import { pathsOf } from "./conditions.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Path } from "./paths.ts";

/** Who makes a fact: a node, by its number, or the beginning of the run. */
export type Producer = number | "begin";

export interface Facts {
  /** What each producer looks up: the fact `f0` is the first path's. */
  readonly pathsByProducer: ReadonlyMap<Producer, readonly Path[]>;
  /** Where a path's fact is. */
  find(path: Path): { producer: Producer; name: string };
}

/** Two ways of writing one path are one. */
const pathKeyOf = ({ root, name, part, steps }: Path): string => JSON.stringify([root, name, part, steps]);

export function producerOf({ root, name }: Path, { nodes, inputs }: PipelineDefinition): Producer {
  const input = root === "inputs" && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  const id = root === "node" ? name : input?.kind === "nodeArtifact" ? input.nodeId : undefined;
  const node = id === undefined ? undefined : nodes.find((one) => one.id === id);
  return node?.index ?? "begin";
}

/** The id of the node that a path leads to; undefined where it leads to none. */
export function producerId(path: Path, definition: PipelineDefinition): string | undefined {
  const producer = producerOf(path, definition);
  return producer === "begin" ? undefined : definition.nodes[producer]?.id;
}

const isPath = (operand: Operand): operand is Path => operand.kind === "path";

export function factsOf(definition: PipelineDefinition): Facts {
  const of = new Map<Producer, Path[]>();
  const places = new Map<string, { producer: Producer; name: string }>();
  for (const { when } of definition.nodes) {
    for (const path of when === null ? [] : pathsOf(when)) {
      if (!isPath(path) || places.has(pathKeyOf(path))) continue;
      const producer = producerOf(path, definition);
      const own = of.get(producer) ?? [];
      places.set(pathKeyOf(path), { producer, name: `f${own.length}` });
      own.push(path);
      of.set(producer, own);
    }
  }
  return {
    pathsByProducer: of,
    find(path) {
      const found = places.get(pathKeyOf(path));
      if (found === undefined) throw new RangeError(`No condition reads ${path.text}`);
      return found;
    },
  };
}

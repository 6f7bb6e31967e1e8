/**
 * Facts: for each path in a condition, the text in a machine's state that stands for its value. The step that produces
 * a result looks its facts up. The names are stable for a definition.
 */

import type { Operand } from "./conditions.ts";
import { pathsOf } from "./conditions.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Path } from "./paths.ts";

/** The producer of a fact: a node, by its number, or the beginning of the run. */
export type Producer = number | "begin";

export interface Facts {
  /** The paths that each producer looks up; the fact of the first path is `f0`. */
  readonly pathsByProducer: ReadonlyMap<Producer, readonly Path[]>;
  /** The producer and the name of a path's fact. */
  find(path: Path): { producer: Producer; name: string };
}

/** The same key for all spellings of a path. */
const pathKeyOf = ({ root, name, part, steps }: Path): string => JSON.stringify([root, name, part, steps]);

export function producerOf({ root, name }: Path, { nodes, inputs }: PipelineDefinition): Producer {
  const input = root === "inputs" && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  const id = root === "node" ? name : input?.kind === "nodeArtifact" ? input.nodeId : undefined;
  const node = id === undefined ? undefined : nodes.find((one) => one.id === id);
  return node?.index ?? "begin";
}

/** The id of the node that a path leads to; undefined for other paths. */
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

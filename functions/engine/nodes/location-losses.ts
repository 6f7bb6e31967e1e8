/** Places that values lose on their way: a correction of text without a whole map of it ends them, for all behind it. */
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { SourceMapMode } from "../ocr/correction/correct-document.ts";
import { type Inputs, originOfPath } from "./provenance.ts";

/** Why an unresolved leaf has no place; the worst first. */
const LOSSES = ["no-source-map", "compressed-upstream"] as const;
export type Loss = (typeof LOSSES)[number];

const OF_MAP: Readonly<Record<SourceMapMode, Loss | undefined>> = {
  none: "no-source-map",
  compress: "compressed-upstream",
  preserve: undefined,
};

/** What a correction with such a map loses. */
export const lossOfMap = (mode: SourceMapMode): Loss | undefined => OF_MAP[mode];

/** Of several on one way: none before compress before preserve. */
export function worstOf(losses: Iterable<string | undefined>): Loss | undefined {
  const found = new Set(losses);
  return LOSSES.find((loss) => found.has(loss));
}

/**
 * What the values that paths lead to have lost.
 * @param sources of the nodes that they lead to, by their ids
 */
export function lossOf(
  paths: Iterable<Path>,
  definition: Inputs,
  sources: ReadonlyMap<string, SourceLocations>,
): Loss | undefined {
  const found = new Set<string>();
  for (const path of paths) {
    const origin = originOfPath(path, definition);
    if (!("node" in origin)) continue;
    const { node, pointer } = origin;
    for (const leaf of sources.get(node)?.unresolved ?? []) {
      if (leaf.pointer === pointer || leaf.pointer.startsWith(`${pointer}/`)) found.add(leaf.reason);
    }
  }
  return worstOf(found);
}

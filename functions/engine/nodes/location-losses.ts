/** Losses of places: after a correction of text without a complete source map, later nodes have no places. */
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { SourceMapMode } from "../ocr/correction/correct-document.ts";
import { type DefinitionInputs, originOfPath } from "./provenance.ts";

/** Reasons of unresolved leaves, the worst first. */
const LOSSES = ["no-source-map", "compressed-upstream"] as const;
export type Loss = (typeof LOSSES)[number];

const LOSS_OF_MODE: Readonly<Record<SourceMapMode, Loss | undefined>> = {
  none: "no-source-map",
  compress: "compressed-upstream",
  preserve: undefined,
};

/** The loss of a correction with a source map of this mode. */
export const lossOfMap = (mode: SourceMapMode): Loss | undefined => LOSS_OF_MODE[mode];

/** The worst of several losses. */
export function worstOf(losses: Iterable<string | undefined>): Loss | undefined {
  const found = new Set(losses);
  return LOSSES.find((loss) => found.has(loss));
}

/**
 * The worst loss of the values that some paths lead to.
 * @param sources places of those values' nodes, by node id
 */
export function lossOf(
  paths: Iterable<Path>,
  definition: DefinitionInputs,
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

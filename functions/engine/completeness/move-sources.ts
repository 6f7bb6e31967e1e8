/** Source locations after rows were added to lists: the pointers of the items behind them change. */
import type { SourceLocations } from "../layout/source-locations.ts";
import type { ListChange } from "./list-change.ts";

/** Maps old pointers to new ones, also inside moved items; undefined for removed values. */
export function pointerMover(changes: readonly ListChange[]): (pointer: string) => string | undefined {
  const indexesByList = new Map(changes.map(({ list, newIndexes }) => [list, newIndexes] as const));
  return (pointer) => {
    const steps = pointer.split("/");
    let list = pointer;
    for (let at = steps.length - 1; at > 0; at -= 1) {
      list = list.slice(0, list.lastIndexOf("/"));
      const now = indexesByList.get(list)?.[Number(steps[at])];
      if (now === undefined) continue;
      if (now < 0) return undefined;
      steps[at] = String(now);
    }
    return steps.join("/");
  };
}

/** Source locations by their new pointers; a list that got rows is no longer unresolved. */
export function moveSources(sources: SourceLocations, changes: readonly ListChange[]): SourceLocations {
  const filled = new Set(changes.filter(({ added }) => added.length > 0).map(({ list }) => list));
  const moved = pointerMover(changes);
  const move = (pointer: string): string[] => {
    const now = moved(pointer);
    return now === undefined ? [] : [now];
  };
  return {
    ...sources,
    locations: Object.fromEntries(
      Object.entries(sources.locations).flatMap(([pointer, location]) =>
        move(pointer).map((now) => [now, location] as const),
      ),
    ),
    unresolved: sources.unresolved.flatMap((leaf) =>
      filled.has(leaf.pointer) ? [] : move(leaf.pointer).map((now) => ({ ...leaf, pointer: now })),
    ),
  };
}

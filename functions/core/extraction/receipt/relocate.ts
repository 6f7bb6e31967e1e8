/** Source locations after rows came into lists: the pointers of the items behind them. */
import type { SourceLocations } from "../sources.ts";
import type { FoundRow } from "./merge.ts";

/** How a list changed: where its items stand afterwards. */
export interface ListChange {
  list: string;
  /** By an item's place before, its place now; -1: it is gone. */
  moved: number[];
  /** Places of the rows that came in, with them. */
  added: { at: number; found: FoundRow }[];
}

/** A pointer as it is now. @returns undefined for what was taken out */
export function movedPointer(pointer: string, changes: readonly ListChange[]): string | undefined {
  for (const { list, moved } of changes) {
    if (!pointer.startsWith(`${list}/`)) continue;
    const [step = "", ...rest] = pointer.slice(list.length + 1).split("/");
    const now = moved[Number(step)];
    if (now === undefined) return pointer;
    return now < 0 ? undefined : [list, now, ...rest].join("/");
  }
  return pointer;
}

/** The same locations by the pointers of now; a list that got rows is empty no more. */
export function moveSources(sources: SourceLocations, changes: readonly ListChange[]): SourceLocations {
  const filled = new Set(changes.filter(({ added }) => added.length > 0).map(({ list }) => list));
  const move = (pointer: string): string[] => {
    const now = movedPointer(pointer, changes);
    return now === undefined ? [] : [now];
  };
  return {
    ...sources,
    locations: Object.fromEntries(
      Object.entries(sources.locations).flatMap(([pointer, location]) =>
        move(pointer).map((now) => [now, location] as const),
      ),
    ),
    unresolved: sources.unresolved.flatMap(({ pointer, reason }) =>
      filled.has(pointer) ? [] : move(pointer).map((now) => ({ pointer: now, reason })),
    ),
  };
}

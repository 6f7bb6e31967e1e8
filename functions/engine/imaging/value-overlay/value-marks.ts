/** Places of a page that carry values of a result, from its source locations. */
import type { SourceLocation, SourceLocations } from "../../layout/source-locations.ts";

export interface Point {
  x: number;
  y: number;
}

/** A place on a page, and the values that were read there. */
export interface ValueMark {
  /** JSON Pointers, in the result's order. */
  pointers: string[];
  /** Closed outlines in inches from the top left corner of the page as shown. */
  outlines: Point[][];
  /** 0 to 1; of several values the least. */
  confidence: number;
}

/** Marks of a page; a page full of words has some thousand, a hostile schema more, which are not drawn. */
const MAX_MARKS = 4000;
/** Lines of all marks of a page, each with its own outline. */
const MAX_OUTLINES = 20_000;
const POINTS_PER_INCH = 72;

/**
 * Test for pointers that are wanted, or stand below a wanted one. `*` stands for any one member or index.
 * @param wanted such as `/lines/0`, `/lines/0/amount` and, with a star for the index, all amounts; empty: every pointer
 */
export function pointerFilter(wanted: readonly string[]): (pointer: string) => boolean {
  const patterns = wanted.map((one) => one.split("/"));
  return (pointer) => {
    const parts = pointer.split("/");
    const fits = (pattern: readonly string[]): boolean =>
      pattern.length <= parts.length && pattern.every((part, at) => part === parts[at] || part === "*");
    return patterns.length === 0 || patterns.some(fits);
  };
}

type Anchor = SourceLocation["pageAnchors"][number];

function outlinesOf({ unit, bbox, polygons }: Anchor): Point[][] {
  const scale = unit === "point" ? 1 / POINTS_PER_INCH : 1;
  const { left, top, right, bottom } = bbox;
  const corners = [
    [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
  ];
  return (polygons.length > 0 ? polygons : corners).map((outline) =>
    outline.map(({ x, y }) => ({ x: x * scale, y: y * scale })),
  );
}

/**
 * The marks of a page; values that were read at the same place share one.
 * @param pageNumber from 1
 * @param wanted pointers, as `pointerFilter` takes them
 */
export function marksOf(sources: SourceLocations, pageNumber: number, wanted: readonly string[]): ValueMark[] {
  const isWanted = pointerFilter(wanted);
  const marks = new Map<string, ValueMark>();
  let drawn = 0;
  for (const [pointer, { pageAnchors, confidence }] of Object.entries(sources.locations)) {
    if (!isWanted(pointer)) continue;
    for (const anchor of pageAnchors) {
      if (anchor.pageNumber !== pageNumber) continue;
      const place = JSON.stringify([anchor.unit, anchor.bbox]);
      const known = marks.get(place);
      if (known !== undefined) {
        // A value with several places may have the same one twice.
        if (known.pointers.at(-1) !== pointer) known.pointers.push(pointer);
        known.confidence = Math.min(known.confidence, confidence);
      } else if (marks.size < MAX_MARKS && drawn < MAX_OUTLINES) {
        const outlines = outlinesOf(anchor).slice(0, MAX_OUTLINES - drawn);
        drawn += outlines.length;
        marks.set(place, { pointers: [pointer], outlines, confidence });
      }
    }
  }
  return [...marks.values()];
}

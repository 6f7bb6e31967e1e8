/**
 * Where each value of a result stands: the source locations that GET /job/result/{guid}/source-locations answers.
 * Boxes are inches from the top left corner of the page as shown.
 */
import type { Box } from "../documents/layout.ts";

export interface PageAnchor {
  pageNumber: number;
  unit: "inch" | "point";
  bbox: Box;
  /** One closed outline for each run of words on a line. */
  polygons: { x: number; y: number }[][];
}

export interface SourceLocation {
  resolution: "word" | "block" | "acroform-field";
  /** The words themselves, by page and position in reading order: `p1/w17`. */
  sourceRefs: string[];
  pageAnchors: PageAnchor[];
  /** 0 to 1, from evidence. */
  confidence: number;
}

export interface UnresolvedLeaf {
  pointer: string;
  /** Short and stable: `not-found`, `null-value`, `derived`, `constant` … */
  reason: string;
}

/** Every leaf of the result is in exactly one of `locations` and `unresolved`. */
export interface SourceLocations {
  version: 1;
  granularity: "auto" | "block" | "word";
  pages: { pageNumber: number; width: number; height: number; unit: "inch" | "point" }[];
  /** By JSON Pointer into the result. */
  locations: Record<string, SourceLocation>;
  unresolved: UnresolvedLeaf[];
}

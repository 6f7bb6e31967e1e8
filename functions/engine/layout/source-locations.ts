/**
 * Where each value of a result stands: the source locations that GET /job/result/{guid}/source-locations answers.
 * Boxes are inches from the top left corner of the page as shown.
 */
import type { Box } from "../../ports/layout.ts";

export interface PageAnchor {
  pageNumber: number;
  unit: "inch" | "point";
  bbox: Box;
  /** One closed outline for each run of words on a line. */
  polygons: { x: number; y: number }[][];
}

/** What is known about a value that something speaks against, each share from 0 to 1. */
export interface FieldEvidence {
  /** How well the words are the value; null where it stands nowhere. */
  match: number | null;
  /** Recognition's word for the least sure word; null where there are no words. */
  ocr: number | null;
  /** How surely the words stand beside the field's label, or under its column's heading. */
  label: number;
  /** Another value stands beside the field's label, so much more surely. */
  rival?: number;
  /** Another field's label stands beside the words, so much more surely. */
  otherLabel?: number;
  /** The same words are another field's value, which has as much to do with them at least. */
  otherField?: true;
  /** A cell on the row of another item. */
  otherRow?: true;
  /** A cell out of line with its column. */
  offColumn?: number;
  /** Checks that it takes part in, by name. */
  validators: { name: string; ok: boolean }[];
  /** Whether a second extractor says the same; null where none ran or said anything. */
  agreement: boolean | null;
}

export interface SourceLocation {
  resolution: "word" | "block" | "acroform-field";
  /** The words themselves, by page and position in reading order: `p1/w17`. */
  sourceRefs: string[];
  pageAnchors: PageAnchor[];
  /** 0 to 1, from evidence. */
  confidence: number;
  /** Where something speaks against the value. */
  evidence?: FieldEvidence;
}

export interface UnresolvedLeaf {
  pointer: string;
  /** Short and stable: `not-found`, `null-value`, `derived`, `constant`, `attachment` (only a file inside states it) … */
  reason: string;
  /** Of a value that stands nowhere in the document. */
  confidence?: number;
  evidence?: FieldEvidence;
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

/** The same with another reason for some of the unresolved. */
export const withReason = (
  sources: SourceLocations,
  pointers: ReadonlySet<string>,
  reason: string,
): SourceLocations => ({
  ...sources,
  unresolved: sources.unresolved.map((leaf) => (pointers.has(leaf.pointer) ? { pointer: leaf.pointer, reason } : leaf)),
});

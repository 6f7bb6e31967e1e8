/**
 * Source locations of a result's values, as GET /job/result/{guid}/source-locations answers them. Boxes are in inches
 * from the top left corner of the page as shown.
 */
import type { Json } from "../../ports/json.ts";
import type { Box } from "../../ports/layout.ts";

export interface PageAnchor {
  pageNumber: number;
  unit: "inch" | "point";
  bbox: Box;
  /** One closed outline for each run of words on a line. */
  polygons: { x: number; y: number }[][];
}

/** Evidence for a value that has something against it. Shares are from 0 to 1. */
export interface FieldEvidence {
  /** Similarity of the words to the value; null when the value stands nowhere. */
  match: number | null;
  /** OCR confidence of the least certain word; null without words. */
  ocr: number | null;
  /** Strength of the link between the words and the field's label or column heading. */
  label: number;
  /** A competing value stands beside the field's label: the lead of its score. */
  rival?: number;
  /** Another field's label stands beside the words: the lead of its score. */
  otherLabel?: number;
  /** The same words are the value of another field with an equal or better claim. */
  otherField?: true;
  /** The cell stands on the row of another item. */
  otherRow?: true;
  /** The cell is out of line with its column. */
  offColumn?: number;
  /** Results of the checks that involve the value, by name. */
  validators: { name: string; ok: boolean }[];
  /** True when a second extractor gives the same value; null when none ran or gave one. */
  agreement: boolean | null;
}

/** A place in another document than the one at hand, such as one of a knowledge base. */
export interface OtherDocument {
  caseId: number;
  documentId: string;
  /** Null for a document without a name. */
  filename: string | null;
  /** On the pages of that document. */
  sourceRefs: string[];
  pageAnchors: PageAnchor[];
}

export interface SourceLocation {
  resolution: "word" | "block" | "acroform-field";
  /** References of the words, by page and position in reading order: `p1/w17`. */
  sourceRefs: string[];
  pageAnchors: PageAnchor[];
  /** 0 to 1, computed from evidence. */
  confidence: number;
  /** Present where something is against the value. */
  evidence?: FieldEvidence;
  /** Present for a value of another document; `sourceRefs` and `pageAnchors` are empty then. */
  document?: OtherDocument;
}

/** A value that was read but is not sure enough to be given. */
export interface Candidate {
  value: Json;
  /** Absent for a value that stands nowhere in the document. */
  place?: Pick<SourceLocation, "resolution" | "sourceRefs" | "pageAnchors">;
  /** 0 to 1. */
  confidence: number;
}

export interface UnresolvedLeaf {
  pointer: string;
  /**
   * Short and stable: `not-found`, `null-value`, `derived`, `constant`, `attachment` (only an attached file states it),
   * `unsure` and `several-documents` (null, with candidates) …
   */
  reason: string;
  /** Present for a value that stands nowhere in the document. */
  confidence?: number;
  evidence?: FieldEvidence;
  /** Present for the reasons `unsure` and `several-documents`. */
  candidates?: Candidate[];
}

/** Every leaf of the result is in exactly one of `locations` and `unresolved`. */
export interface SourceLocations {
  version: 1;
  granularity: "auto" | "block" | "word";
  pages: { pageNumber: number; width: number; height: number; unit: "inch" | "point" }[];
  /** Keyed by JSON Pointer into the result. */
  locations: Record<string, SourceLocation>;
  unresolved: UnresolvedLeaf[];
}

/** Replaces the reason of some unresolved leaves. */
export const withReason = (
  sources: SourceLocations,
  pointers: ReadonlySet<string>,
  reason: string,
): SourceLocations => ({
  ...sources,
  unresolved: sources.unresolved.map((leaf) => (pointers.has(leaf.pointer) ? { pointer: leaf.pointer, reason } : leaf)),
});

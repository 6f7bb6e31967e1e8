/** Input of an extraction: a document's text and findings, and the part of it to extract; and its outcome. */
import type { Receipt } from "../engine/completeness/completeness-report.ts";
import type { RowStatements } from "../engine/extraction/answers/stated-limits.ts";
import type { RecordListSpec } from "../engine/extraction/chunks/record-form.ts";
import type { DataFault } from "../engine/schema/data-faults.ts";
import type { Json } from "../ports/json.ts";

/** Layout and findings of a document, as the run has read them. */
export interface ExtractionInput {
  layout: Uint8Array;
  barcodes: Uint8Array | undefined;
  acroForm: Uint8Array | undefined;
}

/** A part of a document to extract. */
export interface ExtractionPart {
  /** Name in the trace, such as `chunk 3`. */
  name: string;
  /** Its pages, in words. */
  pages: string;
  /** Name of the trace's file. */
  traceName: string;
  /** Text before the part, as context for a model. */
  before?: string;
  /** Set when the data is a list of records, in whichever form the model gives them. */
  list?: RecordListSpec;
  /** The part is the whole layout, extracted on its own (a pipeline node). */
  whole?: true;
  /** Input beside the text: a model reads it; without a model it fills fields that the document does not have. */
  given?: Json;
  /** Pages to send as pictures, also when their text is certain. */
  pictures?: number[];
}

/** True for a piece of a document; its rows cannot be checked, as a row may begin or end in another piece. */
export const isDocumentPiece = (part: ExtractionPart | undefined): boolean => part !== undefined && part.whole !== true;

export interface ExtractedData {
  /** UTF-8 JSON. */
  result: Uint8Array;
  sources: Uint8Array;
  engine: string;
  /** How a model's extraction ran. */
  extraction?: "SIMPLE" | "STEPS";
  confidence: number | null;
  /** Numbers of leaves with and without a source location. */
  found: number;
  unresolved: number;
  /** The result lacks what `validationErrors` or `receipt` names. */
  partial?: boolean;
  receipt?: Receipt;
  validationErrors?: DataFault[];
  /** Rows of a piece that the model left out, and why. */
  statements?: RowStatements;
  /** Leaves filled from the given values: their pointers, each with the pointer of its given value. */
  filled?: [string, string][];
}

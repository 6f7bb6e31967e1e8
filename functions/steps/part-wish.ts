/** A document's text and findings, and the part of it that is asked for. */
import type { RecordListSpec } from "../engine/extraction/chunks/record-form.ts";
import type { Json } from "../ports/json.ts";

/** What a run has read so far. */
export interface Known {
  layout: Uint8Array;
  barcodes: Uint8Array | undefined;
  acroForm: Uint8Array | undefined;
}

/** A part of a document. */
export interface PartWish {
  /** For the trace, such as `chunk 3`. */
  name: string;
  /** Its pages, in words. */
  pages: string;
  /** Where the trace goes. */
  traceName: string;
  /** The data is records, however the model gives them. */
  list?: RecordListSpec;
  /** It is a question of its own about all that the layout holds. */
  whole?: true;
  /** Given beside the text: a model reads it, and without one it fills what the document does not have. */
  given?: Json;
  /** Numbers of pages whose pictures are wanted, recognised or not. */
  pictures?: number[];
}

/** Of a piece of a document nobody can say which rows are missing: a row may begin or end in another. */
export const isPiece = (part: PartWish | undefined): boolean => part !== undefined && part.whole !== true;

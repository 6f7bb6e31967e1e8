import type { Json } from "../../../ports/json.ts";

export interface MapReduceSettings {
  splitType: "PAGE" | "MARKDOWN_HEADER";
  /** Of MARKDOWN_HEADER: a heading of this level or a more important one begins a chunk. */
  headerLevel: number;
  /** Of PAGE, at least 1. */
  pagesPerChunk: number;
  /** Pages that a chunk shares with the one before it; fewer than `pagesPerChunk`. */
  overlapPages: number;
  /** A path to what tells records apart, such as `sku`, `$.sku` or `lineItems.sku`. */
  dedupKey?: string;
  stopWhenEmpty: boolean;
  /** Empty chunks in a row that do not end the run yet. */
  grace: number;
  parallel: boolean;
  header?: HeaderSettings;
}

export interface HeaderSettings {
  /** The first pages; `pageIndices` wins. */
  pageLimit: number;
  /** From 0; negative ones from the document's end, -1 being its last page. */
  pageIndices?: number[];
  /** The header's pages yield records too. */
  includeInRows: boolean;
  schema?: Json;
  prompt?: string;
  /** Put into the prompt of every chunk. */
  rowPrompt?: string;
}

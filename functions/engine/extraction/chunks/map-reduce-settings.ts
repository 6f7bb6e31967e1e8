import type { Json } from "../../../ports/json.ts";

export interface MapReduceSettings {
  splitType: "PAGE" | "MARKDOWN_HEADER";
  /** For MARKDOWN_HEADER: headings of this level or a higher one begin a chunk. */
  headerLevel: number;
  /** For PAGE; at least 1. */
  pagesPerChunk: number;
  /** Pages that a chunk shares with the one before it; fewer than `pagesPerChunk`. */
  overlapPages: number;
  /** Path of the value that identifies a record, such as `sku`, `$.sku` or `lineItems.sku`. */
  dedupKey?: string;
  stopWhenEmpty: boolean;
  /** Number of consecutive empty chunks that do not end the run. */
  grace: number;
  parallel: boolean;
  header?: HeaderSettings;
}

export interface HeaderSettings {
  /** The first pages; `pageIndices` wins. */
  pageLimit: number;
  /** Counted from 0; negative ones from the end, -1 is the last page. */
  pageIndices?: number[];
  /** The header's pages yield records too. */
  includeInRows: boolean;
  schema?: Json;
  prompt?: string;
  /** Added to the prompt of every chunk. */
  rowPrompt?: string;
}

/** Commands for long documents, and tools of commands. */
import type { JsonObject } from "./json.ts";

/** A case's documents to search; `config` may hold the members too. */
export interface SearchTool {
  type: "KNOWLEDGE_BASE_SEARCH";
  config: {
    caseId: number | string;
    /** Most passages, 1 to 50; default 5. */
    topK?: number | undefined;
  };
}

/** Pages of a header, with a schema and a prompt of their own. */
export interface HeaderCommand {
  enabled?: boolean | undefined;
  /** The first pages are the header's; default 1. */
  pageLimit?: number | undefined;
  /** From 0, negative from the document's end; wins over `pageLimit`. */
  pageIndices?: readonly number[] | undefined;
  /** The header's pages yield records too. */
  includeInRows?: boolean | undefined;
  schema?: string | JsonObject | undefined;
  prompt?: string | undefined;
  /** Put into the prompt of every chunk. */
  rowPromptAugmentation?: string | undefined;
}

/** How a long document is cut into chunks. The command's `schema` describes one record. */
export interface MapReduceCommand {
  enabled?: boolean | undefined;
  /** Several chunks at a time. */
  parallelProcessing?: boolean | undefined;
  splitType?: "PAGE" | "MARKDOWN_HEADER" | undefined;
  /** With MARKDOWN_HEADER: headings of this level or above begin a chunk; default 2. */
  splitHeaderLevel?: 1 | 2 | undefined;
  pagesPerChunk?: number | undefined;
  /** Needs `dedupKey`. */
  overlapPages?: number | undefined;
  /** What tells records apart: `sku`, `lineItems.sku`. */
  dedupKey?: string | undefined;
  /** Ends the run after `emptyChunkGrace` empty chunks in a row and one more. */
  stopWhenEmpty?: boolean | undefined;
  emptyChunkGrace?: number | undefined;
  header?: HeaderCommand | undefined;
}

/**
 * The work on a document's bytes as tasks, bytes in and bytes out: the pooled processes of one machine serve them, a
 * Lambda function calls them in its own process. Layouts and results are parsed and written here and nowhere outside.
 */
import { extractOffline } from "../extraction/offline.ts";
import type { DocumentEngine, Json, ReadingOptions } from "../ports.ts";
import { inspectDocument } from "./inspect.ts";
import { LAYOUT_VERSION, type Layout } from "./layout.ts";
import { readDocument } from "./read.ts";
import { transcribe } from "./transcribe.ts";

export interface ReadTask {
  bytes: Uint8Array;
  options: ReadingOptions;
}

export interface TranscribeTask {
  /** A layout as `read` wrote it. */
  layout: Uint8Array;
  format: "plain" | "markdown" | "jsonl";
}

export interface ExtractTask {
  layout: Uint8Array;
  request: { schema?: Json; prompt?: string; granularity: "auto" | "block" | "word" };
}

export interface InspectTask {
  bytes: Uint8Array;
  mimeType: string;
}

type Answer<Method extends "read" | "transcribe" | "extract" | "inspect"> = ReturnType<DocumentEngine[Method]>;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

const toJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/**
 * A layout as JSON, page by page; each page is taken out of the layout and let go when it is written, because a long
 * document's objects and its text side by side are what memory runs out on.
 */
function writeLayout({ pages, ...facts }: Layout): Uint8Array {
  const parts = [toJson({ ...facts, pages: [] }).subarray(0, -"]}".length)];
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
    if (parts.length > 1) parts.push(encoder.encode(","));
    parts.push(toJson(page));
  }
  return Buffer.concat([...parts, encoder.encode("]}")]);
}

/** @throws RangeError for the layout of a release that this one does not read; TypeError for bytes that are not UTF-8, SyntaxError for what is no JSON */
function parseLayout(bytes: Uint8Array): Layout {
  const layout = JSON.parse(decoder.decode(bytes)) as Layout;
  if (layout.v !== LAYOUT_VERSION) throw new RangeError(`Layout version ${layout.v} is not ${LAYOUT_VERSION}`);
  return layout;
}

/** DocumentEngine's methods without its limits and its containment; the same errors. */
export const documentTasks = {
  async read({ bytes, options }: ReadTask): Answer<"read"> {
    const { layout, facts } = await readDocument(bytes, options);
    return { layout: writeLayout(layout), facts };
  },

  async transcribe({ layout, format }: TranscribeTask): Answer<"transcribe"> {
    return encoder.encode(transcribe(parseLayout(layout), format));
  },

  async extract({ layout, request }: ExtractTask): Answer<"extract"> {
    const { result, sources, facts } = extractOffline(parseLayout(layout), request);
    return { result: toJson(result), sources: toJson(sources), facts };
  },

  inspect({ bytes, mimeType }: InspectTask): Answer<"inspect"> {
    return inspectDocument(bytes, mimeType);
  },
};

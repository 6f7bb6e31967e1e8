/**
 * The work on a document's bytes as tasks, bytes in and bytes out: the pooled processes of one machine serve them, a
 * Lambda function calls them in its own process. Layouts and results are parsed and written here and nowhere outside.
 */
import { extractOffline } from "../extraction/offline.ts";
import type { DocumentEngine, Json, ReadingOptions } from "../ports.ts";
import { inspectDocument } from "./inspect.ts";
import { parseLayout, writeLayout } from "./layout-file.ts";
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

const toJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

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

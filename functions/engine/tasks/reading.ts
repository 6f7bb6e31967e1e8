import type { ReadingOptions } from "../../ports/engine.ts";
import { inspectDocument } from "../readers/inspect-document.ts";
import { readDocument } from "../readers/read-document.ts";
import { type Answer, writeReading } from "./task.ts";

export interface ReadTask {
  bytes: Uint8Array;
  options: ReadingOptions;
}

export interface InspectTask {
  bytes: Uint8Array;
  mimeType: string;
}

export const readingTasks = {
  async read({ bytes, options }: ReadTask): Answer<"read"> {
    return writeReading(await readDocument(bytes, options));
  },

  inspect({ bytes, mimeType }: InspectTask): Answer<"inspect"> {
    return inspectDocument(bytes, mimeType);
  },
};

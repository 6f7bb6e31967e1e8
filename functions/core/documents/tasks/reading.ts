/** Work on a document's bytes that ends in its layout. */
import type { ReadingOptions } from "../../ports.ts";
import { inspectDocument } from "../inspect.ts";
import { readDocument } from "../read.ts";
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

/** Reads a file like an upload: detects its type, inspects it, reads it. */
import { readFile } from "node:fs/promises";
import { inspectDocument } from "../../functions/engine/readers/inspect-document.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { AppError } from "../../functions/ports/errors.ts";

export interface Outcome {
  pages: number;
  words: number;
  /** The message to the user; the stack of a defect when `defect`. */
  message?: string;
  defect: boolean;
}

export async function readAsUploaded(path: string): Promise<Outcome> {
  try {
    const bytes = new Uint8Array(await readFile(path));
    const { mimeType } = sniffDocument(bytes, undefined, path);
    await inspectDocument(bytes, mimeType);
    const { layout, facts } = await readDocument(bytes, { mimeType });
    return { pages: layout.pages.length, words: facts.wordCount, defect: false };
  } catch (error) {
    const known = error instanceof AppError;
    return { pages: 0, words: 0, message: known ? error.message : String((error as Error).stack), defect: !known };
  }
}

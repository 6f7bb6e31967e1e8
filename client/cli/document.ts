import { basename, extname } from "node:path";
import { type Io, UsageError } from "./io.ts";

/** The service refuses larger documents. */
const MAX_DOCUMENT_BYTES = 10_000_000;

/** MIME types of the documents that the service reads, by extension. */
const MIME_TYPES_BY_EXTENSION: Record<string, string> = {
  ".pdf": "application/pdf",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".csv": "text/csv",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
};

export interface LocalDocument {
  bytes: Uint8Array;
  /** Undefined for standard input. */
  fileName: string | undefined;
  mimeType: string;
}

/** Reads FILE, or standard input for `-`. @throws UsageError when it cannot be read or is too large */
export async function readDocument(io: Io, file: string, mimeType: string | undefined): Promise<LocalDocument> {
  const bytes = await io.read(file, MAX_DOCUMENT_BYTES);
  const fileName = file === "-" ? undefined : basename(file);
  if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge(fileName ?? "Standard input");
  return {
    bytes,
    fileName,
    mimeType: mimeType ?? MIME_TYPES_BY_EXTENSION[extname(file).toLowerCase()] ?? "application/octet-stream",
  };
}

/**
 * Checks that all documents can be read and are small enough, so that nothing is sent for a list with a mistake.
 * @throws UsageError that names each faulty file
 */
export async function checkDocuments(io: Io, files: readonly string[]): Promise<void> {
  const faults: string[] = [];
  for (const file of files) {
    try {
      const size = await io.size(file);
      if (size !== undefined && size > MAX_DOCUMENT_BYTES) throw tooLarge(file);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new UsageError(faults.join("\nerror: "));
}

const tooLarge = (name: string): UsageError =>
  new UsageError(`${name} is over 10 MB; the service reads documents of up to 10 MB`);

/**
 * Reads a whole text file, such as a prompt or a schema. @throws UsageError when it cannot be read, is too long or not
 * UTF-8
 */
export async function readText(io: Io, file: string): Promise<string> {
  const bytes = await io.read(file, MAX_DOCUMENT_BYTES);
  if (bytes.length > MAX_DOCUMENT_BYTES) throw new UsageError(`${file} is over 10 MB`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} is not UTF-8 text`);
  }
}

/** True for a name with the extension of a document that the service reads. */
export const isDocumentName = (name: string): boolean =>
  Object.hasOwn(MIME_TYPES_BY_EXTENSION, extname(name).toLowerCase());

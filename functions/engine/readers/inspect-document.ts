/** A cheap first look at an upload: whether it opens at all. What is broken deeper shows when it is read. */
import { AppError, JOB_SENTENCES, UnprocessableEntity } from "../../ports/errors.ts";
import { describeType, IMAGE_TYPES, OFFICE_TYPES, PDF } from "../../ports/media-types.ts";
import { inspectImage } from "./images/image-document.ts";
import { mainPart, usualPartName } from "./office/office-content-types.ts";
import { withPdf } from "./pdf/pdf-document.ts";
import { isEncryptedOffice } from "./sniff-media-type.ts";
import { listZip } from "./zip-archive.ts";

/** The trailer ends in the last 1,024 bytes (PDF 32000-1, annex H); some files have a little behind it. */
const TRAILER_WITHIN = 2048;

const broken = (mimeType: string, what: string): UnprocessableEntity =>
  new UnprocessableEntity(`The document is not ${describeType(mimeType)} that can be opened: ${what}`);

/** Whether the file ends with a pointer to a cross-reference table that lies within the file (7.5.5). */
function hasTrailer(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.subarray(Math.max(bytes.length - TRAILER_WITHIN, 0))).toString("latin1");
  const offset = [...tail.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
  return offset !== undefined && Number(offset) < bytes.length;
}

async function inspectPdf(bytes: Uint8Array): Promise<number | null> {
  try {
    const pageCount = await withPdf(bytes, (document) => document.pageCount);
    if (pageCount > 0) return pageCount;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isEncrypted = error.message === JOB_SENTENCES.password || error.message === JOB_SENTENCES.encrypted;
    if (isEncrypted || hasTrailer(bytes)) return null;
    throw broken(PDF, "its trailer is missing or damaged");
  }
  throw broken(PDF, "it has no pages");
}

function inspectOffice(bytes: Uint8Array, mimeType: string): void {
  if (isEncryptedOffice(bytes)) return;
  const entries = listZip(bytes);
  if (entries === undefined) throw broken(mimeType, "its zip archive is damaged");
  const main = mainPart(mimeType);
  if (!entries.some((entry) => usualPartName(entry.name) === main)) throw broken(mimeType, `it has no part ${main}`);
}

/**
 * Looks at an upload of a type that sniffDocument gave. An encrypted document, and a PDF that has a
 * trailer and is damaged elsewhere, are let pass: their job says what is wrong.
 * @returns the number of pages, where the look gave it
 * @throws UnprocessableEntity when the document does not open
 */
export async function inspectDocument(bytes: Uint8Array, mimeType: string): Promise<{ pageCount: number | null }> {
  if (bytes.length === 0) throw new UnprocessableEntity("The document is empty");
  if (mimeType === PDF) return { pageCount: await inspectPdf(bytes) };
  if (OFFICE_TYPES.has(mimeType)) inspectOffice(bytes, mimeType);
  if (IMAGE_TYPES.has(mimeType)) return { pageCount: inspectImage(bytes, mimeType) };
  return { pageCount: null };
}

/** A cheap inspection of an upload: whether it opens at all. Deeper damage is found when it is read. */
import { AppError, JOB_SENTENCES, UnprocessableEntity } from "../../ports/errors.ts";
import { describeType, IMAGE_TYPES, OFFICE_TYPES, PDF } from "../../ports/media-types.ts";
import { inspectImage } from "./images/image-document.ts";
import { mainPart, usualPartName } from "./office/office-content-types.ts";
import { withPdf } from "./pdf/pdf-document.ts";
import { isEncryptedOffice } from "./sniff-media-type.ts";
import { listZip } from "./zip-archive.ts";

/** The trailer ends in the last 1,024 bytes (PDF 32000-1, annex H); some files have a few bytes behind it. */
const TRAILER_SEARCH_BYTES = 2048;

const cannotOpen = (mimeType: string, what: string): UnprocessableEntity =>
  new UnprocessableEntity(`The document is not ${describeType(mimeType)} that can be opened: ${what}`);

/** Tells whether the file ends with a pointer to a cross-reference table within the file (7.5.5). */
function hasTrailer(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.subarray(Math.max(bytes.length - TRAILER_SEARCH_BYTES, 0))).toString("latin1");
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
    throw cannotOpen(PDF, "its trailer is missing or damaged");
  }
  throw cannotOpen(PDF, "it has no pages");
}

function inspectOffice(bytes: Uint8Array, mimeType: string): void {
  if (isEncryptedOffice(bytes)) return;
  const entries = listZip(bytes);
  if (entries === undefined) throw cannotOpen(mimeType, "its zip archive is damaged");
  const main = mainPart(mimeType);
  if (!entries.some((entry) => usualPartName(entry.name) === main))
    throw cannotOpen(mimeType, `it has no part ${main}`);
}

/**
 * Inspects an upload of a type that `sniffDocument` found. An encrypted document passes, and so does a PDF with a
 * trailer and damage elsewhere: their job reports the reason.
 * @returns the number of pages, where the inspection finds it
 * @throws UnprocessableEntity when the document does not open
 */
export async function inspectDocument(bytes: Uint8Array, mimeType: string): Promise<{ pageCount: number | null }> {
  if (bytes.length === 0) throw new UnprocessableEntity("The document is empty");
  if (mimeType === PDF) return { pageCount: await inspectPdf(bytes) };
  if (OFFICE_TYPES.has(mimeType)) inspectOffice(bytes, mimeType);
  if (IMAGE_TYPES.has(mimeType)) return { pageCount: inspectImage(bytes, mimeType) };
  return { pageCount: null };
}

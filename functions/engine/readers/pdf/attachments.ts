/** Files inside a PDF: the XML of an electronic invoice (Factur-X, ZUGFeRD), sources, and whatever else was put in. */
import type { Attachment } from "../../../ports/layout.ts";
import { isTextual, normalizeMediaType, PDF, PLAIN_TEXT } from "../../../ports/media-types.ts";
import { decodeText } from "../text/read-text.ts";
import { type Pdfium, readUtf16, withCString, withMemory } from "./pdfium.ts";

const MOST_FILES = 100;
const LONGEST_NAME = 1000;
/** Bytes. Files that say they are larger, and those after so much in all, are named and not opened. */
const LARGEST_FILE = 20_000_000;
const MOST_BYTES = 50_000_000;
/** Up to so many bytes, text is given. */
const LARGEST_TEXT = 1_000_000;

const XML = "application/xml";
const OCTETS = "application/octet-stream";
const BY_ENDING: Record<string, string> = {
  xml: XML,
  xhtml: "application/xhtml+xml",
  txt: PLAIN_TEXT,
  csv: "text/csv",
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  htm: "text/html",
  pdf: PDF,
  zip: "application/zip",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  tif: "image/tiff",
  tiff: "image/tiff",
};

/** By the declared type, else by the file's beginning, else by its name. */
function typeOf(declared: string, name: string, bytes: Uint8Array | undefined): string {
  const known = normalizeMediaType(declared);
  if (known !== undefined) return known;
  const start = decodeText(bytes?.subarray(0, 64) ?? new Uint8Array()).replace(/^\ufeff?\s*/, "");
  if (start.startsWith("<?xml")) return XML;
  if (start.startsWith("%PDF-")) return PDF;
  return BY_ENDING[/\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ""] ?? OCTETS;
}

/** The size that the file's parameters state; undefined when they state none. */
function statedSize(pdfium: Pdfium, attachment: number): number | undefined {
  return withCString(pdfium, "Size", (key) =>
    withMemory(pdfium, 4, (value) => {
      if (pdfium.call.EPDFAttachment_GetIntegerValue(attachment, key, value) === 0) return undefined;
      const size = pdfium.view().getInt32(value, true);
      return size >= 0 ? size : undefined;
    }),
  );
}

/** The file itself; undefined when it is not there, or larger than `most` bytes. */
function readFile(pdfium: Pdfium, attachment: number, most: number): { size: number; bytes?: Uint8Array } | undefined {
  const { call } = pdfium;
  return withMemory(pdfium, 4, (out) => {
    if (call.FPDFAttachment_GetFile(attachment, 0, 0, out) === 0) return undefined;
    const size = pdfium.view().getUint32(out, true);
    if (size > most) return { size };
    return withMemory(pdfium, Math.max(size, 1), (buffer) => {
      if (call.FPDFAttachment_GetFile(attachment, buffer, size, out) === 0) return undefined;
      return { size, bytes: pdfium.bytes().slice(buffer, buffer + size) };
    });
  });
}

function readAttachment(pdfium: Pdfium, attachment: number, most: number): Attachment {
  const { call } = pdfium;
  const name = readUtf16(pdfium, (to, size) => call.FPDFAttachment_GetName(attachment, to, size), LONGEST_NAME);
  const declared = readUtf16(pdfium, (to, size) => call.FPDFAttachment_GetSubtype(attachment, to, size), LONGEST_NAME);
  const description = readUtf16(
    pdfium,
    (to, size) => call.EPDFAttachment_GetDescription(attachment, to, size),
    LONGEST_NAME,
  ).trim();
  const stated = statedSize(pdfium, attachment);
  const file = stated !== undefined && stated > most ? undefined : readFile(pdfium, attachment, most);
  const mimeType = typeOf(declared, name, file?.bytes);
  const textual = isTextual(mimeType) && file?.bytes !== undefined && file.size <= LARGEST_TEXT;
  return {
    name,
    mimeType,
    size: file?.size ?? stated ?? 0,
    ...(description === "" ? {} : { description }),
    ...(textual && file.bytes !== undefined ? { content: decodeText(file.bytes) } : {}),
  };
}

/** The files that a document's name tree of embedded files lists (PDF 32000-1, 7.11.4), a hundred at most. */
export function readAttachments(pdfium: Pdfium, document: number): Attachment[] {
  const { call } = pdfium;
  const count = Math.min(call.FPDFDoc_GetAttachmentCount(document), MOST_FILES);
  const attachments: Attachment[] = [];
  let left = MOST_BYTES;
  for (let index = 0; index < count; index += 1) {
    const handle = call.FPDFDoc_GetAttachment(document, index);
    if (handle === 0) continue;
    const attachment = readAttachment(pdfium, handle, Math.min(LARGEST_FILE, left));
    left = Math.max(left - attachment.size, 0);
    attachments.push(attachment);
  }
  return attachments;
}

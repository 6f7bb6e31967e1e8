/** Files attached to a PDF: the XML of an electronic invoice (Factur-X, ZUGFeRD), sources and others. */
import type { Attachment } from "../../../ports/layout.ts";
import { isTextual, normalizeMediaType, PDF, PLAIN_TEXT } from "../../../ports/media-types.ts";
import { decodeText } from "../text/text-encoding.ts";
import { type Pdfium, readUtf16, withCString, withMemory } from "./pdfium.ts";

const MAX_FILES = 100;
const MAX_NAME_CHARACTERS = 1000;
/** Limits in bytes for one file and for all. Larger files are listed and not opened. */
const MAX_FILE_BYTES = 20_000_000;
const MAX_TOTAL_BYTES = 50_000_000;
/** Text up to this size is returned. */
const MAX_TEXT_BYTES = 1_000_000;

const XML = "application/xml";
const OCTET_STREAM = "application/octet-stream";
const TYPE_BY_EXTENSION: Record<string, string> = {
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

/** The media type: declared, else by the start of the file, else by its name. */
function attachmentType(declared: string, name: string, bytes: Uint8Array | undefined): string {
  const known = normalizeMediaType(declared);
  if (known !== undefined) return known;
  const start = decodeText(bytes?.subarray(0, 64) ?? new Uint8Array()).replace(/^\ufeff?\s*/, "");
  if (start.startsWith("<?xml")) return XML;
  if (start.startsWith("%PDF-")) return PDF;
  return TYPE_BY_EXTENSION[/\.(\w+)$/.exec(name.toLowerCase())?.[1] ?? ""] ?? OCTET_STREAM;
}

/** The size stated in the file's parameters; undefined when they state none. */
function statedSize(pdfium: Pdfium, attachment: number): number | undefined {
  return withCString(pdfium, "Size", (key) =>
    withMemory(pdfium, 4, (value) => {
      if (pdfium.call.EPDFAttachment_GetIntegerValue(attachment, key, value) === 0) return undefined;
      const size = pdfium.view().getInt32(value, true);
      return size >= 0 ? size : undefined;
    }),
  );
}

/** Reads the file; undefined when it is missing, without bytes when it is larger than `most` bytes. */
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
  const name = readUtf16(pdfium, (to, size) => call.FPDFAttachment_GetName(attachment, to, size), MAX_NAME_CHARACTERS);
  const declared = readUtf16(
    pdfium,
    (to, size) => call.FPDFAttachment_GetSubtype(attachment, to, size),
    MAX_NAME_CHARACTERS,
  );
  const description = readUtf16(
    pdfium,
    (to, size) => call.EPDFAttachment_GetDescription(attachment, to, size),
    MAX_NAME_CHARACTERS,
  ).trim();
  const stated = statedSize(pdfium, attachment);
  const file = stated !== undefined && stated > most ? undefined : readFile(pdfium, attachment, most);
  const mimeType = attachmentType(declared, name, file?.bytes);
  const textual = isTextual(mimeType) && file?.bytes !== undefined && file.size <= MAX_TEXT_BYTES;
  return {
    name,
    mimeType,
    size: file?.size ?? stated ?? 0,
    ...(description === "" ? {} : { description }),
    ...(textual && file.bytes !== undefined ? { content: decodeText(file.bytes) } : {}),
  };
}

/** The files of a document's name tree of embedded files (PDF 32000-1, 7.11.4), a hundred at most. */
export function readAttachments(pdfium: Pdfium, document: number): Attachment[] {
  const { call } = pdfium;
  const count = Math.min(call.FPDFDoc_GetAttachmentCount(document), MAX_FILES);
  const attachments: Attachment[] = [];
  let bytesLeft = MAX_TOTAL_BYTES;
  for (let index = 0; index < count; index += 1) {
    const handle = call.FPDFDoc_GetAttachment(document, index);
    if (handle === 0) continue;
    const attachment = readAttachment(pdfium, handle, Math.min(MAX_FILE_BYTES, bytesLeft));
    bytesLeft = Math.max(bytesLeft - attachment.size, 0);
    attachments.push(attachment);
  }
  return attachments;
}

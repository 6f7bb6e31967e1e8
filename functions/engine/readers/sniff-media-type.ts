/** What a document is, by its content; what was declared only chooses among what the content can be. */
import { isUtf8 } from "node:buffer";
import { UnprocessableEntity, UnsupportedMediaType } from "../../ports/errors.ts";
import {
  CSV,
  DOCX,
  describeType,
  isTextual,
  JPEG,
  MARKDOWN,
  normalizeMediaType,
  OFFICE_TYPES,
  PDF,
  PLAIN_TEXT,
  PNG,
  PPTX,
  TEXT_TYPES,
  TIFF,
  XLSX,
} from "../../ports/media-types.ts";
import { lookIntoPackage } from "./office/office-content-types.ts";
import { decodeText, findWideEncoding } from "./text/text-encoding.ts";

const BYTES = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const IMAGES: readonly [number[], string][] = [
  [[0xff, 0xd8, 0xff], JPEG],
  [[0x89, ...BYTES("PNG\r\n"), 0x1a, 0x0a], PNG],
  [[...BYTES("II*"), 0], TIFF],
  [[...BYTES("MM"), 0, 0x2a], TIFF],
  [[...BYTES("II+"), 0], TIFF],
  [[...BYTES("MM"), 0, 0x2b], TIFF],
];

/** Kinds that are known and not read: signature, offset, name. Text may begin with the letters of one by chance. */
const FOREIGN: readonly [number[], number, string][] = [
  [[0x7f, ...BYTES("ELF")], 0, "a program"],
  [BYTES("MZ"), 0, "a program"],
  [[0xcf, 0xfa, 0xed, 0xfe], 0, "a program"],
  [[0xca, 0xfe, 0xba, 0xbe], 0, "a program"],
  [[0, ...BYTES("asm")], 0, "a program"],
  [BYTES("ftyp"), 4, "a video or HEIF image"],
  [[0x1a, 0x45, 0xdf, 0xa3], 0, "a video"],
  [BYTES("RIFF"), 0, "a WebP image, audio or video file"],
  [BYTES("OggS"), 0, "an audio or video file"],
  [BYTES("ID3"), 0, "an audio file"],
  [BYTES("fLaC"), 0, "an audio file"],
  [BYTES("GIF8"), 0, "a GIF image"],
  [[0x1f, 0x8b], 0, "a gzip archive"],
  [BYTES("BZh"), 0, "a bzip2 archive"],
  [[0xfd, ...BYTES("7zXZ")], 0, "an xz archive"],
  [[...BYTES("7z"), 0xbc, 0xaf], 0, "a 7-Zip archive"],
  [BYTES("Rar!"), 0, "a RAR archive"],
  [BYTES("SQLite format 3"), 0, "a database"],
];
/** Formats written in characters that are not the text they stand for. */
const FOREIGN_TEXT: readonly [number[], string][] = [
  [BYTES("{\\rtf"), "an RTF document"],
  [BYTES("%!PS"), "a PostScript file"],
];

const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const PDF_HEADER = "%PDF-";
/** Adobe's readers look for the header so far into the file. */
const PDF_HEADER_WITHIN = 1024;
const SUPPORTED = "PDF, .docx, .xlsx, .pptx, plain text, Markdown, CSV, JPEG, PNG and TIFF are supported";

const begins = (bytes: Uint8Array, signature: readonly number[], offset = 0): boolean =>
  bytes.length >= offset + signature.length && signature.every((byte, index) => bytes[offset + index] === byte);

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Control characters among so many bytes that a text has at most. */
const CONTROLS = 200;
/** Of wide text, characters looked at: binary data that looks wide by chance shows in fewer. */
const SAMPLE_CHARACTERS = 100_000;

/** What is decoded as UTF-16 or UTF-32 and is no text shows in zeros, and in halves and ends of characters. */
function looksLikeWideText(bytes: Uint8Array, unit: number): boolean {
  if (bytes.length % unit !== 0) return false;
  const sample = decodeText(bytes.subarray(0, SAMPLE_CHARACTERS * unit));
  if (sample.includes("\0")) return false;
  return (
    (sample.match(/[\p{Cc}\p{Cn}\ufffd]/gu) ?? []).filter((one) => !/\s/.test(one)).length <= sample.length / CONTROLS
  );
}

/** UTF-16 or UTF-32, UTF-8, or Western single-byte text: no zeros, hardly a control character, mostly ASCII. */
function looksLikeText(bytes: Uint8Array): boolean {
  const wide = findWideEncoding(bytes);
  if (wide !== undefined) return looksLikeWideText(bytes, wide.startsWith("utf-32") ? 4 : 2);
  if (bytes.includes(0)) return false;
  let controls = 0;
  let high = 0;
  for (const byte of bytes) {
    if (byte >= 0x80) high += 1;
    else if (byte === 0x7f || (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b)) controls += 1;
  }
  if (controls > bytes.length / CONTROLS) return false;
  return isUtf8(bytes) || high <= 0.3 * bytes.length;
}

/** An encrypted office document is an OLE container with a stream of this name. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

const EXTENSIONS: Record<string, string> = {
  csv: CSV,
  tsv: CSV,
  md: MARKDOWN,
  markdown: MARKDOWN,
  docx: DOCX,
  xlsx: XLSX,
  pptx: PPTX,
};

/** Whether these are the bytes of an office document behind a password. */
export const isEncryptedOffice = (bytes: Uint8Array): boolean =>
  begins(bytes, OLE) && toBuffer(bytes).includes(ENCRYPTED_PACKAGE);

function typeOfName(fileName: string | undefined): string | undefined {
  const extension = /\.([^.]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  return extension === undefined ? undefined : EXTENSIONS[extension];
}

/** The office type that a caller says it is: what cannot be seen must be believed. */
const claimedOfficeType = (declared: string | undefined, named: string | undefined): string | undefined =>
  [declared, named].find((one) => one !== undefined && OFFICE_TYPES.has(one));

const unsupported = (what: string): UnsupportedMediaType =>
  new UnsupportedMediaType(`The document is ${what}, which cannot be read; ${SUPPORTED}`);

const contradicted = (type: string, declared: string): UnsupportedMediaType =>
  new UnsupportedMediaType(`The document is ${describeType(type)} (${type}) but was declared as ${declared}`);

function hasPdfHeader(bytes: Uint8Array, declared: string | undefined): boolean {
  const at = toBuffer(bytes.subarray(0, PDF_HEADER_WITHIN + PDF_HEADER.length)).indexOf(PDF_HEADER);
  if (at <= 0) return at === 0;
  // Text about PDFs may quote the header.
  return !(declared !== undefined && isTextual(declared) && looksLikeText(bytes));
}

/** The type of content with an unmistakable signature. @throws UnsupportedMediaType for kinds that are not read */
function typeOfSignature(
  bytes: Uint8Array,
  declared: string | undefined,
  named: string | undefined,
): string | undefined {
  if (hasPdfHeader(bytes, declared)) return PDF;
  const image = IMAGES.find(([signature]) => begins(bytes, signature));
  if (image !== undefined) return image[1];
  if (begins(bytes, [...BYTES("PK"), 3, 4]) || begins(bytes, [...BYTES("PK"), 5, 6])) {
    const { possible, type } = lookIntoPackage(bytes);
    if (type !== undefined) return type;
    const claimed = claimedOfficeType(declared, named);
    if (possible && claimed !== undefined) return claimed;
    throw unsupported("a zip archive");
  }
  if (begins(bytes, OLE)) {
    if (isEncryptedOffice(bytes)) return claimedOfficeType(declared, named) ?? DOCX;
    throw unsupported("a document of an older Office format");
  }
  const foreignText = FOREIGN_TEXT.find(([signature]) => begins(bytes, signature));
  if (foreignText !== undefined) throw unsupported(foreignText[1]);
  const foreign = FOREIGN.find(([signature, offset]) => begins(bytes, signature, offset));
  if (foreign !== undefined && !looksLikeText(bytes)) throw unsupported(foreign[2]);
  return undefined;
}

/** PDF syntax without its header: cut off, or damaged. */
const looksLikePdfBody = (bytes: Uint8Array): boolean =>
  ["startxref", "%%EOF", "endobj"].some((mark) => toBuffer(bytes).includes(mark));

/** Types that name content, read by us or not: what no other content can be. */
const namesContent = (type: string): boolean =>
  /^(?:image|audio|video|font|model|message|multipart)\//.test(type) ||
  /^application\/(?:zip|x-zip-compressed|gzip|x-tar|x-7z-compressed|vnd\.rar|java-archive|wasm|postscript|epub\+zip|x-msdownload|vnd\.oasis\..+)$/.test(
    type,
  ) ||
  isTextual(type) ||
  type === PDF ||
  OFFICE_TYPES.has(type);

/** An office document is a zip archive. */
const ZIP_TYPES = new Set(["application/zip", "application/x-zip-compressed"]);

/**
 * The type that content of type `type` is read as when it was declared so. A declared type that names no particular
 * content (`application/x-anything`) is no contradiction, nor is `application/zip` of an office document.
 * @throws UnsupportedMediaType naming both
 */
function reconcile(type: string, declared: string | undefined, original: string | undefined): string {
  if (declared === undefined || declared === type) return type;
  if (TEXT_TYPES.has(type)) {
    if (TEXT_TYPES.has(declared)) return declared;
    if (isTextual(declared)) return PLAIN_TEXT;
    // Windows calls CSV files so where Excel is installed.
    if (type === CSV && declared === XLSX) return CSV;
  }
  if (OFFICE_TYPES.has(type) && ZIP_TYPES.has(declared)) return type;
  if (namesContent(declared)) throw contradicted(type, original ?? declared);
  return type;
}

/**
 * The media type of an uploaded document. The content decides; a declared type (parameters and case ignored;
 * `application/octet-stream`, empty and `omitted` declare nothing) or the file name's extension tells plain text,
 * Markdown and CSV apart. An encrypted office document counts as the type it was declared as, else .docx.
 * @throws UnprocessableEntity when it is empty, or declared a kind that we read and unrecognizable
 * @throws UnsupportedMediaType for kinds that are not read, and when content and declared type contradict each other
 */
export function sniffDocument(bytes: Uint8Array, declared?: string, fileName?: string): { mimeType: string } {
  if (bytes.length === 0) throw new UnprocessableEntity("The document is empty");
  const wish = normalizeMediaType(declared);
  const named = typeOfName(fileName);
  const signed = typeOfSignature(bytes, wish, named);
  if (signed !== undefined) return { mimeType: reconcile(signed, wish, declared) };
  const text = looksLikeText(bytes);
  if (wish === PDF && (!text || looksLikePdfBody(bytes))) {
    throw new UnprocessableEntity("The document has no PDF header; it appears to be damaged");
  }
  if (text) {
    const type = named !== undefined && TEXT_TYPES.has(named) ? named : PLAIN_TEXT;
    return { mimeType: reconcile(type, wish, declared) };
  }
  if (wish !== undefined && (OFFICE_TYPES.has(wish) || IMAGES.some(([, type]) => type === wish))) {
    throw new UnprocessableEntity(`The document does not begin like ${describeType(wish)}; it appears to be damaged`);
  }
  throw unsupported("of an unknown binary kind");
}

/**
 * The type to read a document as when a command overrides the one found: among the types that the content can be.
 * @throws UnsupportedMediaType naming both when it cannot be that
 */
export const resolveMimeType = (sniffed: string, override: string | undefined): string =>
  reconcile(sniffed, normalizeMediaType(override), override);

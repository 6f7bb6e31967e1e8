/** Type of a document by its content. A declared type only chooses among the types that the content can be. */
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
import { inspectPackage } from "./office/office-content-types.ts";
import { decodeText, findWideEncoding } from "./text/text-encoding.ts";

const latin1Bytes = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

const IMAGE_SIGNATURES: readonly [number[], string][] = [
  [[0xff, 0xd8, 0xff], JPEG],
  [[0x89, ...latin1Bytes("PNG\r\n"), 0x1a, 0x0a], PNG],
  [[...latin1Bytes("II*"), 0], TIFF],
  [[...latin1Bytes("MM"), 0, 0x2a], TIFF],
  [[...latin1Bytes("II+"), 0], TIFF],
  [[...latin1Bytes("MM"), 0, 0x2b], TIFF],
];

/** Unsupported kinds: signature, offset, name. Text may begin with the letters of a signature by chance. */
const UNSUPPORTED_SIGNATURES: readonly [number[], number, string][] = [
  [[0x7f, ...latin1Bytes("ELF")], 0, "a program"],
  [latin1Bytes("MZ"), 0, "a program"],
  [[0xcf, 0xfa, 0xed, 0xfe], 0, "a program"],
  [[0xca, 0xfe, 0xba, 0xbe], 0, "a program"],
  [[0, ...latin1Bytes("asm")], 0, "a program"],
  [latin1Bytes("ftyp"), 4, "a video or HEIF image"],
  [[0x1a, 0x45, 0xdf, 0xa3], 0, "a video"],
  [latin1Bytes("RIFF"), 0, "a WebP image, audio or video file"],
  [latin1Bytes("OggS"), 0, "an audio or video file"],
  [latin1Bytes("ID3"), 0, "an audio file"],
  [latin1Bytes("fLaC"), 0, "an audio file"],
  [latin1Bytes("GIF8"), 0, "a GIF image"],
  [[0x1f, 0x8b], 0, "a gzip archive"],
  [latin1Bytes("BZh"), 0, "a bzip2 archive"],
  [[0xfd, ...latin1Bytes("7zXZ")], 0, "an xz archive"],
  [[...latin1Bytes("7z"), 0xbc, 0xaf], 0, "a 7-Zip archive"],
  [latin1Bytes("Rar!"), 0, "a RAR archive"],
  [latin1Bytes("SQLite format 3"), 0, "a database"],
];
/** Formats written in characters that are not their text. */
const UNSUPPORTED_TEXT_SIGNATURES: readonly [number[], string][] = [
  [latin1Bytes("{\\rtf"), "an RTF document"],
  [latin1Bytes("%!PS"), "a PostScript file"],
];

const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const PDF_HEADER = "%PDF-";
/** Adobe's readers search the header within these first bytes. */
const PDF_HEADER_SEARCH_BYTES = 1024;
const SUPPORTED_FORMATS = "PDF, .docx, .xlsx, .pptx, plain text, Markdown, CSV, JPEG, PNG and TIFF are supported";

const startsWithBytes = (bytes: Uint8Array, signature: readonly number[], offset = 0): boolean =>
  bytes.length >= offset + signature.length && signature.every((byte, index) => bytes[offset + index] === byte);

/** The type of a picture by its first bytes; undefined for all else. */
export const pictureTypeOf = (bytes: Uint8Array): string | undefined =>
  IMAGE_SIGNATURES.find(([signature]) => startsWithBytes(bytes, signature))?.[1];

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Characters of text per control character, at the least. */
const MIN_CHARACTERS_PER_CONTROL = 200;
/** Characters of UTF-16 or UTF-32 inspected. Binary data that looks wide by chance shows in fewer. */
const SAMPLE_CHARACTERS = 100_000;

/** Tells whether wide text is text: binary data shows in zeros, and in halves and ends of characters. */
function looksLikeWideText(bytes: Uint8Array, unit: number): boolean {
  if (bytes.length % unit !== 0) return false;
  const sample = decodeText(bytes.subarray(0, SAMPLE_CHARACTERS * unit));
  if (sample.includes("\0")) return false;
  return (
    (sample.match(/[\p{Cc}\p{Cn}\ufffd]/gu) ?? []).filter((one) => !/\s/.test(one)).length <=
    sample.length / MIN_CHARACTERS_PER_CONTROL
  );
}

/**
 * Tells whether bytes are UTF-16, UTF-32, UTF-8 or Western single-byte text: no zeros, hardly a control character,
 * mostly ASCII.
 */
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
  if (controls > bytes.length / MIN_CHARACTERS_PER_CONTROL) return false;
  return isUtf8(bytes) || high <= 0.3 * bytes.length;
}

/** An encrypted office document is an OLE container with a stream of this name. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

const TYPE_BY_EXTENSION: Record<string, string> = {
  csv: CSV,
  tsv: CSV,
  md: MARKDOWN,
  markdown: MARKDOWN,
  docx: DOCX,
  xlsx: XLSX,
  pptx: PPTX,
};

/** Tells whether these are the bytes of an office document behind a password. */
export const isEncryptedOffice = (bytes: Uint8Array): boolean =>
  startsWithBytes(bytes, OLE_SIGNATURE) && toBuffer(bytes).includes(ENCRYPTED_PACKAGE);

function typeOfFileName(fileName: string | undefined): string | undefined {
  const extension = /\.([^.]+)$/.exec(fileName ?? "")?.[1]?.toLowerCase();
  return extension === undefined ? undefined : TYPE_BY_EXTENSION[extension];
}

/** The office type that the caller declares, for content that cannot be seen. */
const claimedOfficeType = (declared: string | undefined, named: string | undefined): string | undefined =>
  [declared, named].find((one) => one !== undefined && OFFICE_TYPES.has(one));

const unsupportedType = (what: string): UnsupportedMediaType =>
  new UnsupportedMediaType(`The document is ${what}, which cannot be read; ${SUPPORTED_FORMATS}`);

const contradictedType = (type: string, declared: string): UnsupportedMediaType =>
  new UnsupportedMediaType(`The document is ${describeType(type)} (${type}) but was declared as ${declared}`);

function hasPdfHeader(bytes: Uint8Array, declared: string | undefined): boolean {
  const at = toBuffer(bytes.subarray(0, PDF_HEADER_SEARCH_BYTES + PDF_HEADER.length)).indexOf(PDF_HEADER);
  if (at <= 0) return at === 0;
  // Text about PDFs may quote the header.
  return !(declared !== undefined && isTextual(declared) && looksLikeText(bytes));
}

/** The type of content with an unmistakable signature. @throws UnsupportedMediaType for unsupported kinds */
function typeOfSignature(
  bytes: Uint8Array,
  declared: string | undefined,
  named: string | undefined,
): string | undefined {
  if (hasPdfHeader(bytes, declared)) return PDF;
  const image = pictureTypeOf(bytes);
  if (image !== undefined) return image;
  if (startsWithBytes(bytes, [...latin1Bytes("PK"), 3, 4]) || startsWithBytes(bytes, [...latin1Bytes("PK"), 5, 6])) {
    const { possible, type } = inspectPackage(bytes);
    if (type !== undefined) return type;
    const claimed = claimedOfficeType(declared, named);
    if (possible && claimed !== undefined) return claimed;
    throw unsupportedType("a zip archive");
  }
  if (startsWithBytes(bytes, OLE_SIGNATURE)) {
    if (isEncryptedOffice(bytes)) return claimedOfficeType(declared, named) ?? DOCX;
    throw unsupportedType("a document of an older Office format");
  }
  const foreignText = UNSUPPORTED_TEXT_SIGNATURES.find(([signature]) => startsWithBytes(bytes, signature));
  if (foreignText !== undefined) throw unsupportedType(foreignText[1]);
  const foreign = UNSUPPORTED_SIGNATURES.find(([signature, offset]) => startsWithBytes(bytes, signature, offset));
  if (foreign !== undefined && !looksLikeText(bytes)) throw unsupportedType(foreign[2]);
  return undefined;
}

/** PDF syntax without its header: cut off, or damaged. */
const looksLikePdfBody = (bytes: Uint8Array): boolean =>
  ["startxref", "%%EOF", "endobj"].some((mark) => toBuffer(bytes).includes(mark));

/** True for types that name specific content, supported or not, which other content cannot be. */
const namesSpecificContent = (type: string): boolean =>
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
 * Reconciles the type of the content with the declared type. A declared type that names no specific content
 * (`application/x-anything`) is no contradiction, nor is `application/zip` for an office document.
 * @throws UnsupportedMediaType naming both
 */
function reconcileTypes(type: string, declared: string | undefined, original: string | undefined): string {
  if (declared === undefined || declared === type) return type;
  if (TEXT_TYPES.has(type)) {
    if (TEXT_TYPES.has(declared)) return declared;
    if (isTextual(declared)) return PLAIN_TEXT;
    // Windows declares CSV files so where Excel is installed.
    if (type === CSV && declared === XLSX) return CSV;
  }
  if (OFFICE_TYPES.has(type) && ZIP_TYPES.has(declared)) return type;
  if (namesSpecificContent(declared)) throw contradictedType(type, original ?? declared);
  return type;
}

/**
 * The media type of an uploaded document. The content decides; a declared type (parameters and case ignored;
 * `application/octet-stream`, empty and `omitted` declare nothing) or the file name's extension chooses among plain
 * text, Markdown and CSV. An encrypted office document counts as its declared type, else as .docx.
 * @throws UnprocessableEntity when it is empty, or declared as a supported kind that it does not look like
 * @throws UnsupportedMediaType for unsupported kinds, and when content and declared type contradict each other
 */
export function sniffDocument(bytes: Uint8Array, declared?: string, fileName?: string): { mimeType: string } {
  if (bytes.length === 0) throw new UnprocessableEntity("The document is empty");
  const declaredType = normalizeMediaType(declared);
  const named = typeOfFileName(fileName);
  const signed = typeOfSignature(bytes, declaredType, named);
  if (signed !== undefined) return { mimeType: reconcileTypes(signed, declaredType, declared) };
  const text = looksLikeText(bytes);
  if (declaredType === PDF && (!text || looksLikePdfBody(bytes))) {
    throw new UnprocessableEntity("The document has no PDF header; it appears to be damaged");
  }
  if (text) {
    const type = named !== undefined && TEXT_TYPES.has(named) ? named : PLAIN_TEXT;
    return { mimeType: reconcileTypes(type, declaredType, declared) };
  }
  if (
    declaredType !== undefined &&
    (OFFICE_TYPES.has(declaredType) || IMAGE_SIGNATURES.some(([, type]) => type === declaredType))
  ) {
    throw new UnprocessableEntity(
      `The document does not begin like ${describeType(declaredType)}; it appears to be damaged`,
    );
  }
  throw unsupportedType("of an unknown binary kind");
}

/**
 * The type to read a document as when a command overrides the sniffed type: one of the types that the content can be.
 * @throws UnsupportedMediaType naming both when it cannot be that
 */
export const resolveMimeType = (sniffed: string, override: string | undefined): string =>
  reconcileTypes(sniffed, normalizeMediaType(override), override);

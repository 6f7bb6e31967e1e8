/** Reads a PDF's objects without trusting them: a value of the wrong type is undefined. */
import { isUtf8 } from "node:buffer";
import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";

/** Limit for references that lead to references. A file that loops here is broken. */
const MAX_REFERENCE_STEPS = 16;
/** Levels of a tree of fields or pages; no real one has as many. */
const MAX_ANCESTORS = 64;
/** A longer value belongs to no form field. */
const MAX_TEXT_BYTES = 1_000_000;
const UTF8_BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** Resolves an object through its references. */
export function resolveReferences(context: PDFContext, object: PDFObject | undefined): PDFObject | undefined {
  let at = object;
  for (let step = 0; at instanceof PDFRef && step < MAX_REFERENCE_STEPS; step += 1) at = context.lookup(at);
  return at instanceof PDFRef ? undefined : at;
}

export const entry = (dict: PDFDict, key: string): PDFObject | undefined =>
  resolveReferences(dict.context, dict.get(PDFName.of(key)));

export function dictOf(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const found = dict === undefined ? undefined : entry(dict, key);
  return found instanceof PDFDict ? found : undefined;
}

/** The chain from a dictionary up to its topmost ancestor, itself first. */
export function ancestorChain(dict: PDFDict): PDFDict[] {
  const chain: PDFDict[] = [];
  for (
    let at: PDFDict | undefined = dict;
    at !== undefined && chain.length < MAX_ANCESTORS;
    at = dictOf(at, "Parent")
  ) {
    if (chain.includes(at)) break;
    chain.push(at);
  }
  return chain;
}

/** Members of an array entry, resolved; empty when the entry is no array. */
export function listOf(dict: PDFDict, key: string, most: number): PDFObject[] {
  const found = entry(dict, key);
  return found instanceof PDFArray ? membersOf(found, most) : [];
}

export function membersOf(array: PDFArray, most = Number.POSITIVE_INFINITY): PDFObject[] {
  const members: PDFObject[] = [];
  for (let index = 0; index < Math.min(array.size(), most); index += 1) {
    const member = array.lookup(index);
    if (member !== undefined && !(member instanceof PDFRef)) members.push(member);
  }
  return members;
}

export function numberOf(object: PDFObject | undefined): number | undefined {
  if (!(object instanceof PDFNumber)) return undefined;
  const value = object.asNumber();
  return Number.isFinite(value) ? value : undefined;
}

/** Four finite numbers, the lower left corner first; undefined for any other value. */
export function rectangleOf(object: PDFObject | undefined): [number, number, number, number] | undefined {
  if (!(object instanceof PDFArray) || object.size() !== 4) return undefined;
  const numbers = membersOf(object).map(numberOf);
  const [a, b, c, d] = numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** Byte 0xAD is undefined in PDFDocEncoding. Writers use it as the soft hyphen that it is in Latin-1. */
const SOFT_HYPHEN = 0xad;

function decodeString(string: PDFString | PDFHexString): string {
  const bytes = string.asBytes();
  if (UTF8_BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) return new TextDecoder().decode(bytes);
  const text = string.decodeText();
  return bytes.includes(SOFT_HYPHEN) && text.length === bytes.length ? text.replaceAll("\ufffd", "\u00ad") : text;
}

/** Decodes a name. Names are UTF-8 (7.3.5); older writers used other encodings, most likely Latin-1. */
export function nameOf(name: PDFName): string {
  const bytes = Buffer.from(name.asBytes());
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}

/**
 * Reads a text string, a name, a number or a stream of text (PDF 32000-1, 12.7.4.3); undefined for other or broken
 * values.
 */
export function textOf(object: PDFObject | undefined): string | undefined {
  try {
    if (object instanceof PDFString || object instanceof PDFHexString) return decodeString(object).toWellFormed();
    if (object instanceof PDFName) return nameOf(object);
    if (object instanceof PDFNumber) return String(object.asNumber());
    if (!(object instanceof PDFRawStream) || object.contents.length > MAX_TEXT_BYTES) return undefined;
    const bytes = decodePDFRawStream(object).decode();
    if (bytes.length > MAX_TEXT_BYTES) return undefined;
    return decodeString(PDFHexString.of(Buffer.from(bytes).toString("hex"))).toWellFormed();
  } catch {
    return undefined;
  }
}

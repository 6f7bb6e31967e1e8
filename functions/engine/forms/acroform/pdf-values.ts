/** Looking into a PDF's objects without trust: whatever is not what it should be is undefined. */
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

/** References that lead to references; a file that loops here is broken. */
const MOST_STEPS = 16;
/** A value of more bytes is no field's. */
const LONGEST_TEXT = 1_000_000;
const UTF8_MARK = [0xef, 0xbb, 0xbf] as const;

/** The object behind references. */
export function resolve(context: PDFContext, object: PDFObject | undefined): PDFObject | undefined {
  let at = object;
  for (let step = 0; at instanceof PDFRef && step < MOST_STEPS; step += 1) at = context.lookup(at);
  return at instanceof PDFRef ? undefined : at;
}

export const entry = (dict: PDFDict, key: string): PDFObject | undefined =>
  resolve(dict.context, dict.get(PDFName.of(key)));

export function dictOf(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const found = dict === undefined ? undefined : entry(dict, key);
  return found instanceof PDFDict ? found : undefined;
}

/** The members of an array, resolved; none where there is no array. */
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

/** Four finite numbers, the lower left corner first; undefined for anything else. */
export function rectangleOf(object: PDFObject | undefined): [number, number, number, number] | undefined {
  if (!(object instanceof PDFArray) || object.size() !== 4) return undefined;
  const numbers = membersOf(object).map(numberOf);
  const [a, b, c, d] = numbers;
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

/** Undefined in PDFDocEncoding, and written as the soft hyphen that it is in Latin-1. */
const SOFT_HYPHEN = 0xad;

function decodeString(string: PDFString | PDFHexString): string {
  const bytes = string.asBytes();
  if (UTF8_MARK.every((byte, index) => bytes[index] === byte)) return new TextDecoder().decode(bytes);
  const text = string.decodeText();
  return bytes.includes(SOFT_HYPHEN) && text.length === bytes.length ? text.replaceAll("\ufffd", "\u00ad") : text;
}

/** Names are UTF-8 (7.3.5); older writers used whatever they had, of which Latin-1 is the likeliest. */
export function nameOf(name: PDFName): string {
  const bytes = Buffer.from(name.asBytes());
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}

/** A text string, a name, or a stream of text (PDF 32000-1, 12.7.4.3); undefined for anything else, and broken ones. */
export function textOf(object: PDFObject | undefined): string | undefined {
  try {
    if (object instanceof PDFString || object instanceof PDFHexString) return decodeString(object).toWellFormed();
    if (object instanceof PDFName) return nameOf(object);
    if (object instanceof PDFNumber) return String(object.asNumber());
    if (!(object instanceof PDFRawStream) || object.contents.length > LONGEST_TEXT) return undefined;
    const bytes = decodePDFRawStream(object).decode();
    if (bytes.length > LONGEST_TEXT) return undefined;
    return decodeString(PDFHexString.of(Buffer.from(bytes).toString("hex"))).toWellFormed();
  } catch {
    return undefined;
  }
}

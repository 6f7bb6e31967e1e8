/** Objects of a PDF file (PDF 32000-1, 7.3 and 7.5.7) found one by one, where reading all of it would take too long. */
import { constants, inflateSync } from "node:zlib";
import { PDFArray, PDFContext, PDFDict, type PDFObject, PDFObjectParser, PDFRef } from "@cantoo/pdf-lib";

/** Of an object stream: its dictionary, all of it. Bytes. */
const DICTIONARY = 400;
const LARGEST_STREAM = 16_000_000;
/** Of all object streams of a file. */
const MOST_BYTES = 64_000_000;
const MOST_OBJECTS = 5_000;
/** Bytes of the pairs that an object stream begins with. */
const LONGEST_PAIRS = 100_000;
const KEYWORD = " obj";

/** What of a deflated stream can be had, also of a piece of it; nothing of what is none. */
export function inflate(deflated: Buffer, most = LARGEST_STREAM): Buffer {
  try {
    return inflateSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most });
  } catch {
    return Buffer.alloc(0);
  }
}

/** The number of the catalog. */
export function rootNumber(file: Buffer): number | undefined {
  const at = Math.max(file.lastIndexOf("/Root"), 0);
  const number = /^\/Root\s+(\d+)/.exec(file.subarray(at, at + 40).toString("latin1"))?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Pairs of an object's number and its place, with which an object stream begins. */
export function pairsOf(inflated: Buffer): number[] {
  const numbers: number[] = [];
  let number = -1;
  for (let at = 0; at <= Math.min(inflated.length, LONGEST_PAIRS); at += 1) {
    const code = inflated[at] ?? 0;
    if (code >= 0x30 && code <= 0x39) number = Math.max(number, 0) * 10 + code - 0x30;
    else {
      if (number >= 0) numbers.push(number);
      number = -1;
      // White space of 32000-1, 7.2.2, parts them; anything else is the first object.
      if (code !== 0x20 && (code < 0x09 || code > 0x0d)) break;
    }
  }
  return numbers;
}

/** Where the deflated bytes of the object streams stand. */
export function* objectStreams(file: Buffer): Generator<{ at: number; start: number }> {
  for (let at = file.indexOf("/ObjStm"); at !== -1; at = file.indexOf("/ObjStm", at + 1)) {
    const keyword = file.indexOf("stream", at + "/ObjStm".length);
    if (keyword === -1 || keyword > at + DICTIONARY) continue;
    yield { at, start: keyword + "stream".length + (file[keyword + "stream".length] === 0x0d ? 2 : 1) };
  }
}

/** @param start from objectStreams */
export function inflateAt(file: Buffer, start: number): Buffer {
  const end = file.indexOf("endstream", start);
  return inflate(file.subarray(start, end === -1 ? undefined : end));
}

/** The first of an object stream's objects begins there: said in its dictionary, before or behind its type. */
function firstOf(file: Buffer, at: number, start: number): number {
  const before = file.lastIndexOf(KEYWORD, at);
  const dictionary = file.subarray(Math.max(before, at - DICTIONARY), start).toString("latin1");
  return Number(/\/First\s+(\d+)/.exec(dictionary)?.[1]);
}

const SPACE = 0x20;
/** Of an object's number, and of its generation. */
const MOST_DIGITS = 10;

/** Where the digits begin that end before a place. */
function digitsBefore(file: Buffer, end: number): number {
  let at = end;
  for (let code = file[at - 1] ?? 0; code >= 0x30 && code <= 0x39; code = file[at - 1] ?? 0) {
    if (end - at === MOST_DIGITS) break;
    at -= 1;
  }
  return at;
}

/** The number of the object whose keyword stands there: `12 0 obj`. A file has thousands, so bytes are looked at alone. */
function numberBefore(file: Buffer, at: number): number | undefined {
  const generation = digitsBefore(file, at);
  if (generation === at || file[generation - 1] !== SPACE) return undefined;
  const start = digitsBefore(file, generation - 1);
  return start === generation - 1 ? undefined : Number(file.toString("latin1", start, generation - 1));
}

/** The objects of a file that is not encrypted; of those with one number the last one. */
export class FileObjects {
  readonly context = PDFContext.create();
  readonly #file: Buffer;
  readonly #streams: Buffer[] = [];
  readonly #places = new Map<number, { bytes: Buffer; at: number; order: number }>();

  /** @throws Error for a file with more than can be held */
  constructor(file: Buffer) {
    this.#file = file;
    for (let at = file.indexOf(KEYWORD); at !== -1; at = file.indexOf(KEYWORD, at + 1)) {
      const number = numberBefore(file, at);
      if (number !== undefined) this.#place(number, { bytes: file, at: at + KEYWORD.length, order: at });
    }
    let held = 0;
    for (const { at, start } of objectStreams(file)) {
      const bytes = inflateAt(file, start);
      held += bytes.length;
      if (held > MOST_BYTES) throw new Error("The object streams are too large");
      this.#streams.push(bytes);
      const first = firstOf(file, at, start);
      const pairs = pairsOf(bytes.subarray(0, first));
      for (let index = 0; index + 1 < pairs.length; index += 2)
        this.#place(pairs[index] ?? 0, { bytes, at: first + (pairs[index + 1] ?? 0), order: at });
    }
  }

  #place(number: number, place: { bytes: Buffer; at: number; order: number }): void {
    if ((this.#places.get(number)?.order ?? -1) < place.order) this.#places.set(number, place);
  }

  /** Whether a text stands in the file outside of the streams that hold no objects. */
  mentions(text: string): boolean {
    return this.#file.includes(text) || this.#streams.some((stream) => stream.includes(text));
  }

  /**
   * The objects that a text stands in, from the beginning of each part of the file.
   * @param length of what is told of the text behind it, in bytes
   */
  *holding(text: string, length: number): Generator<{ number: number; behind: string }> {
    const places = Map.groupBy(this.#places, ([, { bytes }]) => bytes);
    for (const [bytes, own] of places) {
      own.sort(([, a], [, b]) => a.at - b.at);
      let next = 0;
      for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
        while ((own[next]?.[1].at ?? Infinity) <= at) next += 1;
        const number = own[next - 1]?.[0];
        const from = at + text.length;
        if (number !== undefined) yield { number, behind: bytes.toString("latin1", from, from + length) };
      }
    }
  }

  /** @throws Error where there is none, or it cannot be parsed */
  read(number: number): PDFObject {
    const place = this.#places.get(number);
    if (place === undefined || Number.isNaN(place.at)) throw new Error(`There is no object ${number}`);
    return PDFObjectParser.forBytes(place.bytes.subarray(place.at), this.context).parseObject();
  }

  /** Takes an object and all that it refers to into the context. @throws Error as `read`; for too many */
  load(object: PDFObject): void {
    const left = [object];
    let count = 0;
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      if (one instanceof PDFDict) left.push(...one.values());
      else if (one instanceof PDFArray) left.push(...one.asArray());
      else if (one instanceof PDFRef && this.context.lookup(one) === undefined) {
        count += 1;
        if (count > MOST_OBJECTS) throw new Error("There are too many objects");
        const value = this.read(one.objectNumber);
        this.context.assign(one, value);
        left.push(value);
      }
    }
  }
}

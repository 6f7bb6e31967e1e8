/**
 * Objects of a PDF file (PDF 32000-1, 7.3 and 7.5.7) found one by one, where parsing the whole file would take too
 * long.
 */
import { constants, inflateSync } from "node:zlib";
import { PDFArray, PDFContext, PDFDict, type PDFObject, PDFObjectParser, PDFRef } from "@cantoo/pdf-lib";
import { sortedByNumber } from "../../layout/sort-by-number.ts";

/** Maximum length of an object stream's dictionary in bytes. */
const MAX_DICTIONARY_BYTES = 400;
const MAX_STREAM_BYTES = 16_000_000;
/** Limit for all object streams of a file, in bytes. */
const MAX_TOTAL_STREAM_BYTES = 64_000_000;
const MAX_LOADED_OBJECTS = 5_000;
/** Limit for the pairs at the start of an object stream, in bytes. */
const MAX_PAIRS_BYTES = 100_000;
const OBJECT_KEYWORD = " obj";

/** Inflates a deflated stream or a prefix of it; empty for other bytes. */
export function inflate(deflated: Buffer, most = MAX_STREAM_BYTES): Buffer {
  try {
    return inflateSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Object number of the catalog. */
export function rootNumber(file: Buffer): number | undefined {
  const at = Math.max(file.lastIndexOf("/Root"), 0);
  const number = /^\/Root\s+(\d+)/.exec(file.subarray(at, at + 40).toString("latin1"))?.[1];
  return number === undefined ? undefined : Number(number);
}

/** The pairs at the start of an object stream: object number and offset. */
export function objectStreamPairs(inflated: Buffer): number[] {
  const numbers: number[] = [];
  let number = -1;
  for (let at = 0; at <= Math.min(inflated.length, MAX_PAIRS_BYTES); at += 1) {
    const code = inflated[at] ?? 0;
    if (code >= 0x30 && code <= 0x39) number = Math.max(number, 0) * 10 + code - 0x30;
    else {
      if (number >= 0) numbers.push(number);
      number = -1;
      // White space (32000-1, 7.2.2) separates them; any other character begins the first object.
      if (code !== 0x20 && (code < 0x09 || code > 0x0d)) break;
    }
  }
  return numbers;
}

/** Yields the object streams: the position of each, and where its deflated bytes start. */
export function* objectStreams(file: Buffer): Generator<{ at: number; start: number }> {
  for (let at = file.indexOf("/ObjStm"); at !== -1; at = file.indexOf("/ObjStm", at + 1)) {
    const keyword = file.indexOf("stream", at + "/ObjStm".length);
    if (keyword === -1 || keyword > at + MAX_DICTIONARY_BYTES) continue;
    yield { at, start: keyword + "stream".length + (file[keyword + "stream".length] === 0x0d ? 2 : 1) };
  }
}

/** Inflates an object stream. @param start from `objectStreams` */
export function inflateAt(file: Buffer, start: number): Buffer {
  const end = file.indexOf("endstream", start);
  return inflate(file.subarray(start, end === -1 ? undefined : end));
}

/** Offset of the first object in an object stream, from its dictionary, where it may stand before or after the type. */
function firstObjectOffset(file: Buffer, at: number, start: number): number {
  const before = file.lastIndexOf(OBJECT_KEYWORD, at);
  const dictionary = file.subarray(Math.max(before, at - MAX_DICTIONARY_BYTES), start).toString("latin1");
  return Number(/\/First\s+(\d+)/.exec(dictionary)?.[1]);
}

const SPACE_BYTE = 0x20;
/** Digits of an object number or generation. */
const MAX_NUMBER_DIGITS = 10;

/** Start of the digits that end before a position. */
function digitsStart(file: Buffer, end: number): number {
  let at = end;
  for (let code = file[at - 1] ?? 0; code >= 0x30 && code <= 0x39; code = file[at - 1] ?? 0) {
    if (end - at === MAX_NUMBER_DIGITS) break;
    at -= 1;
  }
  return at;
}

/**
 * The object number before the keyword `obj`, as in `12 0 obj`. Bytes are compared singly because a file has thousands.
 */
function objectNumberBefore(file: Buffer, at: number): number | undefined {
  const generation = digitsStart(file, at);
  if (generation === at || file[generation - 1] !== SPACE_BYTE) return undefined;
  const start = digitsStart(file, generation - 1);
  if (start === generation - 1) return undefined;
  let number = 0;
  for (let digit = start; digit < generation - 1; digit += 1) number = number * 10 + (file[digit] ?? 0) - 0x30;
  return number;
}

/** The file, or one of its object streams inflated, with the objects that stand in it, in order. */
interface ObjectSource {
  bytes: Buffer;
  numbers: number[];
  /** Where each object's content begins. */
  starts: number[];
}

/** The objects by their place, which writers keep to, but need not. */
function inPlaceOrder({ bytes, numbers, starts }: ObjectSource): ObjectSource {
  if (starts.every((start, index) => index === 0 || (starts[index - 1] ?? 0) <= start))
    return { bytes, numbers, starts };
  const order = sortedByNumber([...starts.keys()], (index) => starts[index] ?? 0);
  return {
    bytes,
    numbers: order.map((index) => numbers[index] ?? 0),
    starts: order.map((index) => starts[index] ?? 0),
  };
}

/** Greatest object number (PDF 32000-1, annex C.2); objects of greater ones are not found. */
const MAX_OBJECT_NUMBER = 8_388_607;

/** The objects of a file that is not encrypted; the last one of each number. */
export class FileObjects {
  readonly context = PDFContext.create();
  readonly #sources: ObjectSource[] = [];
  /**
   * By object number the last object, 0 for none. A file has ten thousands of objects, and a reader looks for few of
   * them: arrays cost a fraction of what maps do.
   */
  #last = new Int32Array(1_024);
  /** Of each object its source, by index; where it begins there; and where it, or its stream, stands in the file. */
  readonly #sourceOf: number[] = [-1];
  readonly #startOf: number[] = [0];
  readonly #orderOf: number[] = [-1];

  /** @throws Error when the object streams are too large */
  constructor(file: Buffer) {
    const own: ObjectSource = { bytes: file, numbers: [], starts: [] };
    this.#sources.push(own);
    for (let at = file.indexOf(OBJECT_KEYWORD); at !== -1; at = file.indexOf(OBJECT_KEYWORD, at + 1)) {
      const number = objectNumberBefore(file, at);
      if (number !== undefined) this.#place(own, number, at + OBJECT_KEYWORD.length, at);
    }
    let held = 0;
    for (const { at, start } of objectStreams(file)) {
      const bytes = inflateAt(file, start);
      held += bytes.length;
      if (held > MAX_TOTAL_STREAM_BYTES) throw new Error("The object streams are too large");
      const source: ObjectSource = { bytes, numbers: [], starts: [] };
      this.#sources.push(source);
      const first = firstObjectOffset(file, at, start);
      const pairs = objectStreamPairs(bytes.subarray(0, first));
      for (let index = 0; index + 1 < pairs.length; index += 2)
        this.#place(source, pairs[index] ?? 0, first + (pairs[index + 1] ?? 0), at);
    }
  }

  /** Places an object of the newest source. @param order where it stands in the file, or its stream does */
  #place(source: ObjectSource, number: number, start: number, order: number): void {
    source.numbers.push(number);
    source.starts.push(start);
    if (number > MAX_OBJECT_NUMBER) return;
    if (number >= this.#last.length) {
      const longer = new Int32Array(2 * number);
      longer.set(this.#last);
      this.#last = longer;
    }
    if ((this.#orderOf[this.#last[number] ?? 0] ?? -1) >= order) return;
    this.#last[number] = this.#sourceOf.length;
    this.#sourceOf.push(this.#sources.length - 1);
    this.#startOf.push(start);
    this.#orderOf.push(order);
  }

  /** Tells whether a text occurs in the file or its object streams; other streams are not inflated. */
  mentions(text: string): boolean {
    return this.#sources.some(({ bytes }) => bytes.includes(text));
  }

  /**
   * Yields the objects in which a text occurs, with the bytes behind it, source by source.
   * @param length bytes behind the text to return
   */
  *objectsWithText(text: string, length: number): Generator<{ number: number; behind: string }> {
    for (const [index, source] of this.#sources.entries()) {
      const { bytes } = source;
      let at = bytes.indexOf(text);
      if (at === -1) continue;
      const { numbers, starts } = inPlaceOrder(source);
      for (let next = 0; at !== -1; at = bytes.indexOf(text, at + 1)) {
        while ((starts[next] ?? Infinity) <= at) next += 1;
        const number = numbers[next - 1];
        const last = number === undefined ? 0 : (this.#last[number] ?? 0);
        const from = at + text.length;
        // A later object of the same number replaces it.
        if (number !== undefined && this.#sourceOf[last] === index && this.#startOf[last] === starts[next - 1])
          yield { number, behind: bytes.toString("latin1", from, from + length) };
      }
    }
  }

  /** Parses an object. @throws Error when it is missing or malformed */
  read(number: number): PDFObject {
    const last = this.#last[number] ?? 0;
    const source = this.#sources[this.#sourceOf[last] ?? -1];
    const start = this.#startOf[last];
    if (source === undefined || start === undefined || Number.isNaN(start))
      throw new Error(`There is no object ${number}`);
    return PDFObjectParser.forBytes(source.bytes.subarray(start), this.context).parseObject();
  }

  /** Loads an object and everything it refers to into the context. @throws Error as `read`; for too many objects */
  load(object: PDFObject): void {
    const pending = [object];
    let count = 0;
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (one instanceof PDFDict) pending.push(...one.values());
      else if (one instanceof PDFArray) pending.push(...one.asArray());
      else if (one instanceof PDFRef && this.context.lookup(one) === undefined) {
        count += 1;
        if (count > MAX_LOADED_OBJECTS) throw new Error("There are too many objects");
        const value = this.read(one.objectNumber);
        this.context.assign(one, value);
        pending.push(value);
      }
    }
  }
}

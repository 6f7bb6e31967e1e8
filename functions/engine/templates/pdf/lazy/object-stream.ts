/** One stream of objects (PDF 32000-1, 7.5.7), of which each object is read by itself. */
import { type PDFContext, PDFName, type PDFObject, PDFRawStream, type PDFRef } from "@cantoo/pdf-lib";
import { ObjectReader, type ReadingBudget, UnusualFile } from "./file-reader.ts";
import { directInteger, unpackStream } from "./unpack-stream.ts";

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
/** A number and an offset with the space after each. */
const LEAST_PAIR_BYTES = 4;

/** Reads pairs of numbers from the beginning of a stream. @throws UnusualFile where there are fewer */
function readPairs(bytes: Buffer, count: number): Uint32Array {
  // Before the space for them is taken: the count is the file's.
  if (count * LEAST_PAIR_BYTES > bytes.length + 1) throw new UnusualFile("a stream has fewer objects than it tells");
  const numbers = new Uint32Array(2 * count);
  let at = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    while (at < bytes.length && isSpace(bytes[at] ?? 0)) at += 1;
    const from = at;
    let value = 0;
    for (; at < bytes.length && isDigit(bytes[at] ?? 0); at += 1) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    if (at === from || value > bytes.length + 0xff_ff_ff) throw new UnusualFile("a stream of objects is damaged");
    numbers[index] = value;
  }
  return numbers;
}

export class ObjectStream {
  readonly #first: number;
  readonly #length: number;
  /** Number and offset of each object. */
  readonly #pairs: Uint32Array;
  readonly #reader: ObjectReader;

  /** @throws UnusualFile for an object that is no such stream, or a damaged one */
  constructor(stream: PDFObject, context: PDFContext, budget: ReadingBudget) {
    if (!(stream instanceof PDFRawStream) || stream.dict.get(PDFName.of("Type")) !== PDFName.of("ObjStm")) {
      throw new UnusualFile("no stream of objects");
    }
    const count = directInteger(stream.dict, "N");
    const first = directInteger(stream.dict, "First");
    if (count === undefined || first === undefined) throw new UnusualFile("a stream of objects is damaged");
    const bytes = unpackStream(stream, budget);
    this.#first = first;
    this.#length = bytes.length;
    this.#pairs = readPairs(bytes.subarray(0, first), count);
    this.#reader = new ObjectReader(bytes, context, budget);
  }

  /** @throws UnusualFile where the stream has another object at this place */
  read(index: number, ref: PDFRef): PDFObject {
    const offset = this.#first + (this.#pairs[2 * index + 1] ?? 0);
    if (this.#pairs[2 * index] !== ref.objectNumber || offset >= this.#length) {
      throw new UnusualFile("an object is not in its stream");
    }
    return this.#reader.read(offset, ref).object;
  }
}

/** Reads single objects out of a file whose objects are listed, and counts what it reads. */
import { type PDFContext, type PDFObject, PDFObjectParser, type PDFRef } from "@cantoo/pdf-lib";
import { MAX_UNPACKED_BYTES } from "../object-streams.ts";

/** The file is not as its lists of objects say, or not in a common way. It has to be read from front to back. */
export class UnusualFile extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "UnusualFile";
  }
}

/** Bytes that may still be read. Objects of a sound file do not overlap, so that more are never needed. */
export class ReadingBudget {
  #bytes: number;
  #unpackedBytes = MAX_UNPACKED_BYTES;

  constructor(fileBytes: number) {
    this.#bytes = fileBytes + MAX_UNPACKED_BYTES;
  }

  /** @throws UnusualFile where more is read than the file has */
  spend(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0) throw new UnusualFile("objects overlap");
  }

  /** Most bytes to which streams may still be unpacked. */
  get unpackedBytes(): number {
    return this.#unpackedBytes;
  }

  spendUnpacked(bytes: number): void {
    this.#unpackedBytes -= bytes;
  }
}

/** What of the library's parser is used, besides its one public method. */
interface Cursor {
  moveTo(offset: number): void;
  offset(): number;
}

/** The library's parser, at any place of some bytes. */
export class ObjectReader {
  readonly #parser: PDFObjectParser;
  readonly #cursor: Cursor;
  readonly #budget: ReadingBudget;

  constructor(bytes: Uint8Array, context: PDFContext, budget: ReadingBudget) {
    this.#parser = PDFObjectParser.forBytes(bytes, context);
    this.#cursor = Reflect.get(this.#parser, "bytes") as Cursor;
    this.#budget = budget;
  }

  /** @returns the object at an offset, and the offset after it @throws UnusualFile where there is none */
  read(at: number, ref?: PDFRef): { object: PDFObject; end: number } {
    this.#cursor.moveTo(at);
    try {
      const object = this.#parser.parseObject(ref);
      return { object, end: this.#cursor.offset() };
    } catch {
      throw new UnusualFile("an object is damaged");
    } finally {
      this.#budget.spend(Math.max(1, this.#cursor.offset() - at));
    }
  }
}

/** Longest beginning or end of an object, with the space around it. */
const MAX_EDGE_BYTES = 40;
const HEADER = /^[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+obj/u;
const END = /^[\0\t\n\f\r ]*endobj/u;

/** Some of a file as text, a character for each byte; less of it at the file's end. */
export function textAt(file: Buffer, at: number, bytes: number): string {
  const from = Math.min(at, file.length);
  return file.toString("latin1", from, Math.min(file.length, from + bytes));
}

/** @returns the number and generation of the object that begins at an offset, and the offset of its content */
export function objectHeader(
  file: Buffer,
  at: number,
): { objectNumber: number; generation: number; content: number } | undefined {
  const found = at > 0 && at < file.length ? HEADER.exec(textAt(file, at, MAX_EDGE_BYTES)) : null;
  if (found === null) return undefined;
  return { objectNumber: Number(found[1]), generation: Number(found[2]), content: at + found[0].length };
}

/** Tells whether an object ends at an offset. */
export const objectEnds = (file: Buffer, at: number): boolean => END.test(textAt(file, at, MAX_EDGE_BYTES));

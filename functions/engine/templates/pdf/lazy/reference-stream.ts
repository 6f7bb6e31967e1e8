/** Reads a stream of cross-references (PDF 32000-1, 7.5.8). */
import { PDFArray, type PDFDict, PDFName, PDFNumber, type PDFRawStream } from "@cantoo/pdf-lib";
import { type ReadingBudget, UnusualFile } from "./file-reader.ts";
import { MAX_LISTED_OBJECTS, type Place } from "./place.ts";
import { directInteger, unpackStream } from "./unpack-stream.ts";

/** Bytes of a number that JavaScript holds exactly. */
const MAX_NUMBER_BYTES = 6;

/** Bytes that may follow the rows: the end of a line. More of them show that the rows are others than those told. */
const MAX_BYTES_AFTER_ROWS = 2;

const FREE: Place = { kind: "free" };

/** Integers of a list that stands in the dictionary itself. */
function integers(dict: PDFDict, key: string): number[] | undefined {
  const list = dict.get(PDFName.of(key));
  if (list === undefined) return undefined;
  const numbers = list instanceof PDFArray ? list.asArray() : [undefined];
  return numbers.map((one) => {
    const value = one instanceof PDFNumber ? one.asNumber() : -1;
    if (!Number.isSafeInteger(value) || value < 0) throw new UnusualFile(`/${key} is damaged`);
    return value;
  });
}

/** Widths of the three columns in bytes. */
function widthsOf(dict: PDFDict): [number, number, number] {
  const [type, second, third, ...more] = integers(dict, "W") ?? [];
  const isUsual = more.length === 0 && type !== undefined && second !== undefined && third !== undefined;
  if (!isUsual || second === 0 || Math.max(type, second, third) > MAX_NUMBER_BYTES) {
    throw new UnusualFile("the columns of the cross-references are damaged");
  }
  return [type, second, third];
}

function numberAt(rows: Buffer, at: number, width: number): number {
  return width === 0 ? 0 : rows.readUIntBE(at, width);
}

/** Unknown types are references to nothing (table 18), but no writer has them: the rows are damaged. */
function placeOf(type: number, second: number, third: number): Place {
  if (type === 0) return FREE;
  if (type === 1) return { kind: "offset", offset: second, generation: third };
  if (type === 2) return { kind: "packed", stream: second, index: third };
  throw new UnusualFile("a row of the cross-references has an unknown type");
}

/** First number and count of each run of objects. */
function runsOf(dict: PDFDict): [number, number][] {
  const size = directInteger(dict, "Size");
  const index = integers(dict, "Index") ?? (size === undefined ? [] : [0, size]);
  if (index.length === 0 || index.length % 2 !== 0) throw new UnusualFile("/Index is damaged");
  return Array.from({ length: index.length / 2 }, (_, run) => [index[2 * run] ?? 0, index[2 * run + 1] ?? 0]);
}

/**
 * Reads the rows of a stream of cross-references.
 * @throws UnusualFile for a stream that is none, is damaged, or has other rows than it tells
 */
export function readStreamRows(stream: PDFRawStream, budget: ReadingBudget): [number, Place][] {
  const { dict } = stream;
  if (dict.get(PDFName.of("Type")) !== PDFName.of("XRef")) throw new UnusualFile("no stream of cross-references");
  const [typeBytes, secondBytes, thirdBytes] = widthsOf(dict);
  const rowBytes = typeBytes + secondBytes + thirdBytes;
  const runs = runsOf(dict);
  const told = runs.reduce((sum, [, count]) => sum + count, 0);
  if (told > MAX_LISTED_OBJECTS) throw new UnusualFile("too many objects");
  const rows = unpackStream(stream, budget);
  const after = rows.length - told * rowBytes;
  if (after < 0 || after > MAX_BYTES_AFTER_ROWS) throw new UnusualFile("the cross-references end elsewhere");
  const places: [number, Place][] = [];
  let at = 0;
  for (const [first, count] of runs) {
    for (let index = 0; index < count; index += 1, at += rowBytes) {
      const type = typeBytes === 0 ? 1 : numberAt(rows, at, typeBytes);
      const second = numberAt(rows, at + typeBytes, secondBytes);
      places.push([first + index, placeOf(type, second, numberAt(rows, at + typeBytes + secondBytes, thirdBytes))]);
    }
  }
  return places;
}

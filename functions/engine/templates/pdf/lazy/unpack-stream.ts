/** Unpacks streams of objects and of cross-references, within a budget. */
import { inflateSync } from "node:zlib";
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFRawStream } from "@cantoo/pdf-lib";
import { type ReadingBudget, UnusualFile } from "./file-reader.ts";

/** Predictors of PNG (PDF 32000-1, table 10): from this one on, each row tells its own. */
const FIRST_PNG_PREDICTOR = 10;
/** Bits of a component where the stream does not tell. */
const DEFAULT_COMPONENT_BITS = 8;

/** An integer that stands in the dictionary itself. */
export function directInteger(dict: PDFDict, key: string): number | undefined {
  const value = dict.get(PDFName.of(key));
  const number = value instanceof PDFNumber ? value.asNumber() : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** The only member of a list, and anything that is no list. */
function single(value: unknown): unknown {
  if (!(value instanceof PDFArray)) return value;
  return value.size() === 1 ? value.get(0) : Number.NaN;
}

/** Predictor of Paeth (PNG, 9.4): the neighbour that is nearest to left + above − diagonal. */
function paeth(left: number, above: number, diagonal: number): number {
  const toLeft = Math.abs(above - diagonal);
  const toAbove = Math.abs(left - diagonal);
  const toDiagonal = Math.abs(left + above - 2 * diagonal);
  if (toLeft <= toAbove && toLeft <= toDiagonal) return left;
  return toAbove <= toDiagonal ? above : diagonal;
}

function predicted(kind: number, left: number, above: number, diagonal: number): number {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  if (kind === 4) return paeth(left, above, diagonal);
  throw new UnusualFile("a row of a stream has an unknown predictor");
}

/** Undoes the predictors of rows of single bytes. @param columns bytes of a row */
function undoPredictors(packed: Buffer, columns: number): Buffer {
  const rows = Math.floor(packed.length / (columns + 1));
  const plain = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (columns + 1);
    const to = row * columns;
    const kind = packed[from] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const left = column === 0 ? 0 : (plain[to + column - 1] ?? 0);
      const above = row === 0 ? 0 : (plain[to + column - columns] ?? 0);
      const diagonal = row === 0 || column === 0 ? 0 : (plain[to + column - columns - 1] ?? 0);
      plain[to + column] = (packed[from + 1 + column] ?? 0) + predicted(kind, left, above, diagonal);
    }
  }
  return plain;
}

/** Bytes of a row under a predictor; undefined without one. @throws UnusualFile for others than those of PNG */
function predictedColumns(parameters: unknown): number | undefined {
  if (!(parameters instanceof PDFDict)) {
    if (parameters === undefined) return undefined;
    throw new UnusualFile("a stream tells its parameters elsewhere");
  }
  const read = (key: string, unset: number): number =>
    parameters.has(PDFName.of(key)) ? (directInteger(parameters, key) ?? Number.NaN) : unset;
  const predictor = read("Predictor", 1);
  if (predictor === 1) return undefined;
  const columns = read("Columns", 1);
  const isOfBytes = read("Colors", 1) === 1 && read("BitsPerComponent", DEFAULT_COMPONENT_BITS) === 8;
  if (!(predictor >= FIRST_PNG_PREDICTOR && columns > 0 && isOfBytes)) throw new UnusualFile("an uncommon predictor");
  return columns;
}

function inflate(contents: Uint8Array, budget: ReadingBudget): Buffer {
  try {
    const plain = inflateSync(contents, { maxOutputLength: Math.max(1, budget.unpackedBytes) });
    budget.spendUnpacked(plain.length);
    return plain;
  } catch {
    throw new UnusualFile("a stream is damaged or too large");
  }
}

/** @throws UnusualFile for a stream that is damaged, packed in an uncommon way, or above the budget */
export function unpackStream({ dict, contents }: PDFRawStream, budget: ReadingBudget): Buffer {
  const filter = single(dict.get(PDFName.of("Filter")));
  if (filter === undefined) {
    budget.spend(contents.length);
    return Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
  }
  if (filter !== PDFName.of("FlateDecode")) throw new UnusualFile("an uncommon filter");
  const columns = predictedColumns(single(dict.get(PDFName.of("DecodeParms"))));
  const plain = inflate(contents, budget);
  return columns === undefined ? plain : undoPredictors(plain, columns);
}

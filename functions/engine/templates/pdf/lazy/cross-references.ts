/** Reads the lists of a PDF's objects (PDF 32000-1, 7.5.4 to 7.5.8), from the newest revision to the first. */
import { PDFDict, PDFName, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { type ObjectReader, objectHeader, type ReadingBudget, textAt, UnusualFile } from "./file-reader.ts";
import { MAX_LISTED_OBJECTS, type Place } from "./place.ts";
import { readStreamRows } from "./reference-stream.ts";
import { readTable } from "./reference-table.ts";
import { directInteger } from "./unpack-stream.ts";

export interface CrossReferences {
  places: Map<number, Place>;
  /** The newest trailer first. */
  trailers: PDFDict[];
  /** The number after `startxref`. */
  startOffset: number;
  /** True where a list is a stream. */
  hasStreams: boolean;
  largestObjectNumber: number;
}

/** Bytes from `startxref` to the end. More of them were put there by something that wrote no cross-references. */
const MAX_TAIL_BYTES = 1_024;
const TAIL = /^startxref[\0\t\n\f\r ]+(\d{1,12})[\0\t\n\f\r ]*(?:%%EOF)?[\0\t\n\f\r ]*$/u;

/** @throws UnusualFile where the file does not end as a PDF does */
function startOffsetOf(file: Buffer): number {
  const at = file.lastIndexOf("startxref");
  const found = at === -1 || file.length - at > MAX_TAIL_BYTES ? null : TAIL.exec(textAt(file, at, MAX_TAIL_BYTES));
  if (found === null) throw new UnusualFile("no end as of a PDF");
  return Number(found[1]);
}

class SectionReader {
  readonly found: CrossReferences;
  readonly #file: Buffer;
  readonly #reader: ObjectReader;
  readonly #budget: ReadingBudget;
  readonly #visited = new Set<number>();

  constructor(file: Buffer, reader: ObjectReader, budget: ReadingBudget) {
    this.#file = file;
    this.#reader = reader;
    this.#budget = budget;
    const startOffset = startOffsetOf(file);
    this.found = { places: new Map(), trailers: [], startOffset, hasStreams: false, largestObjectNumber: 0 };
  }

  /** Notes places that no newer revision has. */
  #note(places: Iterable<readonly [number, Place]>): void {
    const { places: known } = this.found;
    for (const [number, place] of places) {
      if (!known.has(number)) known.set(number, place);
      if (known.size > MAX_LISTED_OBJECTS) throw new UnusualFile("too many objects");
    }
  }

  #visit(offset: number): void {
    if (this.#visited.has(offset)) throw new UnusualFile("the cross-references go round");
    this.#visited.add(offset);
  }

  /** Reads a stream of cross-references. @returns its dictionary */
  #readStream(offset: number): PDFDict {
    const header = objectHeader(this.#file, offset);
    if (header === undefined) throw new UnusualFile("no cross-references where they should be");
    const { object } = this.#reader.read(header.content, PDFRef.of(header.objectNumber, header.generation));
    if (!(object instanceof PDFRawStream)) throw new UnusualFile("no stream of cross-references");
    const rows = readStreamRows(object, this.#budget);
    const own = rows.find(([number]) => number === header.objectNumber)?.[1];
    if (own !== undefined && own.kind !== "free" && !(own.kind === "offset" && own.offset === offset)) {
      throw new UnusualFile("the cross-references list themselves elsewhere");
    }
    this.#note(rows);
    this.found.hasStreams = true;
    this.found.largestObjectNumber = Math.max(this.found.largestObjectNumber, header.objectNumber);
    return object.dict;
  }

  /** Reads a table, and the stream beside it that older programs do not see (7.5.8.4). @returns its trailer */
  #readTable(offset: number): PDFDict {
    const { places, end } = readTable(this.#file, offset, this.#budget);
    const { object } = this.#reader.read(end);
    if (!(object instanceof PDFDict)) throw new UnusualFile("no trailer");
    this.#note(places.filter(([, { kind }]) => kind !== "free"));
    if (object.has(PDFName.of("XRefStm"))) {
      const beside = directInteger(object, "XRefStm") ?? 0;
      this.#visit(beside);
      this.#readStream(beside);
    }
    this.#note(places.filter(([, { kind }]) => kind === "free"));
    return object;
  }

  readAll(): CrossReferences {
    let offset: number | undefined = this.found.startOffset;
    while (offset !== undefined) {
      this.#visit(offset);
      const isTable: boolean = textAt(this.#file, offset, 4) === "xref";
      const trailer: PDFDict = isTable ? this.#readTable(offset) : this.#readStream(offset);
      this.found.trailers.push(trailer);
      offset = directInteger(trailer, "Prev");
      if (offset === undefined && trailer.has(PDFName.of("Prev"))) {
        throw new UnusualFile("the revision before is not told");
      }
    }
    return this.found;
  }
}

/**
 * Tells whether an object begins where it is listed, or its stream does.
 * @throws UnusualFile where another object begins there: the list may be wrong about that one too
 */
function isThere(file: Buffer, number: number, place: Place, places: ReadonlyMap<number, Place>): boolean {
  if (place.kind === "free") return true;
  if (place.kind === "packed") return places.get(place.stream)?.kind === "offset";
  const header = objectHeader(file, place.offset);
  if (header !== undefined && header.objectNumber !== number) throw new UnusualFile("another object is listed");
  return header?.generation === place.generation;
}

/**
 * Reads all cross-references of a file. Objects that do not begin where they are listed are left out, and so unknown.
 * @throws UnusualFile where the lists themselves have a fault
 */
export function readCrossReferences(file: Buffer, reader: ObjectReader, budget: ReadingBudget): CrossReferences {
  const found = new SectionReader(file, reader, budget).readAll();
  const { places } = found;
  places.delete(0);
  for (const [number, place] of places) {
    if (place.kind !== "free") found.largestObjectNumber = Math.max(found.largestObjectNumber, number);
    if (!isThere(file, number, place, places)) places.delete(number);
  }
  return found;
}

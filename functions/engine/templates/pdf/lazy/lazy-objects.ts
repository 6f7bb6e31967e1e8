/** The objects of a PDF, each of which is read when it is first asked for. */
import { type PDFContext, type PDFObject, PDFRef } from "@cantoo/pdf-lib";
import type { CrossReferences } from "./cross-references.ts";
import { type ObjectReader, objectEnds, objectHeader, type ReadingBudget, UnusualFile } from "./file-reader.ts";
import { ObjectStream } from "./object-stream.ts";
import type { Place } from "./place.ts";

type Note = (ref: PDFRef, object: PDFObject) => void;

/** The file that objects are read from. */
export interface ObjectSource {
  file: Buffer;
  context: PDFContext;
  reader: ObjectReader;
  budget: ReadingBudget;
  references: CrossReferences;
}

/** Takes the place of the map of objects that a document of the library has. */
export class LazyObjects {
  readonly #source: ObjectSource;
  readonly #places: Map<number, Place>;
  readonly #read = new Map<PDFRef, PDFObject>();
  readonly #streams = new Map<number, ObjectStream>();
  #note: Note | undefined;
  #isUnusual = false;

  constructor(source: ObjectSource) {
    this.#source = source;
    this.#places = source.references.places;
  }

  /** True once the file turned out to be damaged: what was made of it so far may be wrong. */
  get isUnusual(): boolean {
    return this.#isUnusual;
  }

  /** Objects that were read or added. */
  get readCount(): number {
    return this.#read.size;
  }

  /** @throws UnusualFile where the file is damaged there */
  get(ref: PDFRef): PDFObject | undefined {
    const known = this.#read.get(ref);
    if (known !== undefined) return known;
    try {
      const object = this.#find(ref);
      if (object === undefined) return undefined;
      this.#read.set(ref, object);
      this.#note?.(ref, object);
      return object;
    } catch (error) {
      this.#isUnusual = true;
      throw error;
    }
  }

  set(ref: PDFRef, object: PDFObject): this {
    this.#read.set(ref, object);
    return this;
  }

  delete(ref: PDFRef): boolean {
    const isListed = this.get(ref) !== undefined;
    if (this.#places.has(ref.objectNumber)) this.#places.set(ref.objectNumber, { kind: "free" });
    this.#read.delete(ref);
    return isListed;
  }

  /** All objects; those that were read or added, once the rest is kept as it is. */
  entries(): MapIterator<[PDFRef, PDFObject]> {
    if (this.#note === undefined) {
      for (const [number, place] of this.#places) {
        if (place.kind !== "free") this.get(PDFRef.of(number, place.kind === "offset" ? place.generation : 0));
      }
    }
    return this.#read.entries();
  }

  /** From now on, objects that nobody asks for stay unread. @param note is told each object before it can change */
  keepRest(note: Note): void {
    for (const [ref, object] of this.#read) note(ref, object);
    this.#note = note;
  }

  #find(ref: PDFRef): PDFObject | undefined {
    const { objectNumber, generationNumber } = ref;
    const place = this.#places.get(objectNumber);
    if (place === undefined) return this.#findUnlisted(objectNumber);
    switch (place.kind) {
      case "free":
        return undefined;
      case "offset":
        return place.generation === generationNumber ? this.#readAt(place.offset, ref) : undefined;
      case "packed":
        return generationNumber === 0 ? this.#streamOf(place.stream).read(place.index, ref) : undefined;
    }
  }

  /** An object that is still to be added is no fault; the file may have any other in spite of its list. */
  #findUnlisted(objectNumber: number): undefined {
    const { context, references } = this.#source;
    const isNew = objectNumber > references.largestObjectNumber && objectNumber <= context.largestObjectNumber;
    if (!isNew && objectNumber !== 0) throw new UnusualFile("an object is not listed");
    return undefined;
  }

  #readAt(offset: number, ref: PDFRef): PDFObject {
    const { file, reader } = this.#source;
    const header = objectHeader(file, offset);
    if (header === undefined) throw new UnusualFile("an object is not where it is listed");
    const { object, end } = reader.read(header.content, ref);
    if (!objectEnds(file, end)) throw new UnusualFile("an object does not end");
    return object;
  }

  #streamOf(number: number): ObjectStream {
    const known = this.#streams.get(number);
    if (known !== undefined) return known;
    const { context, budget } = this.#source;
    const place = this.#places.get(number);
    const object = place?.kind === "offset" ? this.get(PDFRef.of(number, place.generation)) : undefined;
    if (object === undefined) throw new UnusualFile("a stream of objects is missing");
    const stream = new ObjectStream(object, context, budget);
    this.#streams.set(number, stream);
    return stream;
  }
}

/** The library's name for its map of objects. */
export const OBJECTS_MEMBER = "indirectObjects";

/** @returns undefined for a document that was read from front to back */
export function lazyObjectsOf(context: PDFContext): LazyObjects | undefined {
  const objects: unknown = Reflect.get(context, OBJECTS_MEMBER);
  return objects instanceof LazyObjects ? objects : undefined;
}

/** Saves a filled PDF: as an addition to its bytes where the file allows it, else anew. */
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFInvalidObject,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFRef,
  PDFStream,
} from "@cantoo/pdf-lib";
import { lazyObjectsOf } from "./lazy/lazy-objects.ts";

/** Every object in one go: a process of the pool has nothing else to do. */
const objectsPerTick = Number.POSITIVE_INFINITY;

/** Beginning of a table or a stream of cross-references. */
const CROSS_REFERENCES = /^\s*(?:xref|\d+\s+\d+\s+obj.*\/XRef)/su;
const MAX_BEGINNING_BYTES = 500;

/** Objects from which on a flattened file is appended to as well: writing 84,000 anew takes 13 s. */
const MANY_OBJECTS = 10_000;

export const hasManyObjects = ({ context }: PDFDocument): boolean => context.largestObjectNumber >= MANY_OBJECTS;

/**
 * True for a file to whose cross-references more can be appended. That leaves all other bytes as they are, and takes less
 * time than writing the file anew, which for many objects grows with their square.
 */
export function canAppendTo({ context }: PDFDocument, bytes: Uint8Array): boolean {
  const at = context.pdfFileDetails.prevStartXRef;
  const beginning = Buffer.from(bytes.subarray(at, at + MAX_BEGINNING_BYTES)).toString("latin1");
  return at > 0 && CROSS_REFERENCES.test(beginning);
}

/** Lists what an object consists of, down to its references: a change puts another piece into the list. */
function collectPieces(object: PDFObject, pieces: unknown[]): void {
  const container = object instanceof PDFStream ? object.dict : object;
  if (container instanceof PDFDict) {
    const keys = container.keys();
    pieces.push(container, keys.length);
    for (const key of keys) pieces.push(key);
    for (const value of container.values()) collectPieces(value, pieces);
  } else if (container instanceof PDFArray) {
    pieces.push(container, container.size());
    for (const value of container.asArray()) collectPieces(value, pieces);
  } else pieces.push(container);
}

function piecesOf(object: PDFObject): unknown[] {
  const pieces: unknown[] = [];
  collectPieces(object, pieces);
  return pieces;
}

const isSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length && before.every((piece, at) => piece === now[at]);

/** The objects of a file before it is changed. */
export class OriginalObjects {
  readonly #pieces = new Map<PDFRef, unknown[]>();
  readonly #snapshot: ReturnType<PDFDocument["takeSnapshot"]>;

  constructor(document: PDFDocument) {
    this.#snapshot = document.takeSnapshot();
    const note = (ref: PDFRef, object: PDFObject): void => void this.#pieces.set(ref, piecesOf(object));
    const lazy = lazyObjectsOf(document.context);
    if (lazy !== undefined) lazy.keepRest(note);
    else for (const [ref, object] of document.context.enumerateIndirectObjects()) note(ref, object);
  }

  /** The bytes of the file, and after them every object that is new or changed. */
  async append(document: PDFDocument, bytes: Uint8Array): Promise<Uint8Array> {
    // Fonts and pictures become objects now; they are new, and so written.
    await document.flush();
    for (const [ref, object] of document.context.enumerateIndirectObjects()) {
      const before = this.#pieces.get(ref);
      if (before === undefined || !isSame(before, piecesOf(object))) this.#snapshot.markRefForSave(ref);
    }
    // The kind of cross-reference that the file has: readers that check signatures refuse a mixture.
    const { useObjectStreams } = document.context.pdfFileDetails;
    const added = await document.saveIncremental(this.#snapshot, { useObjectStreams, objectsPerTick });
    const whole = new Uint8Array(bytes.length + added.length);
    whole.set(bytes);
    whole.set(added, bytes.length);
    return whole;
  }
}

const STRUCTURE_TYPES: ReadonlySet<PDFObject | undefined> = new Set([PDFName.of("XRef"), PDFName.of("ObjStm")]);

/** Streams of the file's structure, which is written anew. In a decrypted file the library cannot read its table. */
function isFormerStructure(object: PDFObject): boolean {
  if (object instanceof PDFRawStream) return STRUCTURE_TYPES.has(object.dict.get(PDFName.of("Type")));
  if (!(object instanceof PDFInvalidObject)) return false;
  const bytes = Buffer.alloc(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes.includes("/XRef");
}

/** Writes the file anew. Appearances stay as they are: the library would draw those of all fields again. */
export function rewrite(document: PDFDocument): Promise<Uint8Array> {
  const { context } = document;
  for (const [ref, object] of context.enumerateIndirectObjects()) if (isFormerStructure(object)) context.delete(ref);
  return document.save({ updateFieldAppearances: false, addDefaultPage: false, objectsPerTick });
}

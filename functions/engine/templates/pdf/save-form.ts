/** Saves a filled PDF: anew, or for a signed or very large file as an addition to its bytes. */
import { type PDFDocument, PDFInvalidObject, PDFName, type PDFObject, PDFRawStream, PDFStream } from "@cantoo/pdf-lib";

/** Every object in one go: a process of the pool has nothing else to do. */
const objectsPerTick = Number.POSITIVE_INFINITY;

/** Objects above which a file is appended to: the library's time to write one anew grows with their square. */
const MANY_OBJECTS = 10_000;
/** Beginning of a table or a stream of cross-references. */
const CROSS_REFERENCES = /^\s*(?:xref|\d+\s+\d+\s+obj.*\/XRef)/su;
const MAX_BEGINNING_BYTES = 500;

/** True for a file to whose cross-references more can be appended. */
export function canBeAppendedTo({ context }: PDFDocument, bytes: Uint8Array): boolean {
  const at = context.pdfFileDetails.prevStartXRef;
  const beginning = Buffer.from(bytes.subarray(at, at + MAX_BEGINNING_BYTES)).toString("latin1");
  return at > 0 && CROSS_REFERENCES.test(beginning);
}

/** True for a file with very many objects, to which more can be appended. */
export const isBetterAppendedTo = (document: PDFDocument, bytes: Uint8Array): boolean =>
  document.context.largestObjectNumber >= MANY_OBJECTS && canBeAppendedTo(document, bytes);

/** Text of an object, by which a change is noticed; of a stream its dictionary. */
const objectText = (object: PDFObject): string => String(object instanceof PDFStream ? object.dict : object);

/** The objects of a file before it is changed. */
export class OriginalObjects {
  readonly #texts = new Map<number, string>();
  readonly #snapshot: ReturnType<PDFDocument["takeSnapshot"]>;

  constructor(document: PDFDocument) {
    this.#snapshot = document.takeSnapshot();
    for (const [{ objectNumber }, object] of document.context.enumerateIndirectObjects()) {
      this.#texts.set(objectNumber, objectText(object));
    }
  }

  /** The bytes of the file, and after them every object that is new or changed. */
  async append(document: PDFDocument, bytes: Uint8Array): Promise<Uint8Array> {
    // Fonts and pictures become objects now; they are new, and so written.
    await document.flush();
    for (const [ref, object] of document.context.enumerateIndirectObjects()) {
      if (this.#texts.get(ref.objectNumber) !== objectText(object)) this.#snapshot.markRefForSave(ref);
    }
    // The kind of cross-reference that the file has: readers that check signatures refuse a mixture.
    const { useObjectStreams } = document.context.pdfFileDetails;
    const added = await document.saveIncremental(this.#snapshot, { useObjectStreams, objectsPerTick });
    return Buffer.concat([bytes, added]);
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

/**
 * Refuses files whose field tree names its branches again and again: each time doubles the paths through it, which
 * pdfium follows one by one, to 32 levels. A file of 2 KB would keep a task busy for hours.
 */
import { PDFArray, PDFDict, PDFName, type PDFObject, PDFRef } from "@cantoo/pdf-lib";
import { JobFailure } from "../../../ports/errors.ts";
import { FileObjects, rootNumber } from "./file-objects.ts";

/** Levels that pdfium follows (CPDF_InteractiveForm). */
const MAX_LEVELS = 32;
/**
 * Paths beyond the entries of all lists of kids; a tree has no more paths than entries. As many take pdfium less than
 * half a second.
 */
const MAX_REPEATED_PATHS = 65_536;
/** Larger files are not searched, as for fonts: their objects would fill the memory of the process. */
const MAX_FILE_BYTES = 64_000_000;
/** Groups that are followed; forms of thousands of fields have hundreds. */
const MAX_GROUPS = 20_000;

const REPEATED_SENTENCE =
  "Processing failed: The PDF's form lists the same groups of fields again and again; print it to a new PDF and send that";

/** Counts the paths from groups of fields down to fields. */
class PathCounter {
  readonly #objects: FileObjects;
  /** Paths by object number and levels left; -1 while they are counted: a loop ends there. */
  readonly #paths = new Map<string, number>();
  readonly #kids = new Map<number, readonly PDFObject[]>();
  entries = 0;

  constructor(objects: FileObjects) {
    this.#objects = objects;
  }

  #resolve(object: PDFObject | undefined): PDFObject | undefined {
    return object instanceof PDFRef ? this.#objects.read(object.objectNumber) : object;
  }

  #kidsOf(dict: PDFObject | undefined, key: string): readonly PDFObject[] {
    const list = dict instanceof PDFDict ? this.#resolve(dict.get(PDFName.of(key))) : undefined;
    return list instanceof PDFArray ? list.asArray() : [];
  }

  #kidsOfNumber(number: number): readonly PDFObject[] {
    const known = this.#kids.get(number);
    if (known !== undefined) return known;
    if (this.#kids.size >= MAX_GROUPS) return [];
    let kids: readonly PDFObject[] = [];
    try {
      kids = this.#kidsOf(this.#objects.read(number), "Kids");
    } catch {
      // pdfium follows no damaged object either.
    }
    this.entries += kids.length;
    this.#kids.set(number, kids);
    return kids;
  }

  /** Paths from an object down, up to a bound. */
  pathsFrom(number: number, levels = MAX_LEVELS): number {
    const key = `${number} ${levels}`;
    const known = this.#paths.get(key);
    if (known !== undefined) return Math.max(known, 1);
    this.#paths.set(key, -1);
    let paths = 0;
    for (const kid of levels > 0 ? this.#kidsOfNumber(number) : []) {
      paths = Math.min(
        paths + (kid instanceof PDFRef ? this.pathsFrom(kid.objectNumber, levels - 1) : 1),
        Number.MAX_SAFE_INTEGER,
      );
    }
    this.#paths.set(key, Math.max(paths, 1));
    return Math.max(paths, 1);
  }

  /** The fields at the top of the form, as the catalog names them. */
  topFields(catalog: number): number[] {
    const root = this.#objects.read(catalog);
    const form = root instanceof PDFDict ? this.#resolve(root.get(PDFName.of("AcroForm"))) : undefined;
    return this.#kidsOf(form, "Fields").flatMap((field) => (field instanceof PDFRef ? [field.objectNumber] : []));
  }
}

/** True if the paths through the fields of a file are many more than its fields. */
function repeatsBranches(file: Buffer): boolean {
  try {
    const counter = new PathCounter(new FileObjects(file));
    const paths = counter.topFields(rootNumber(file) ?? 0).reduce((sum, field) => sum + counter.pathsFrom(field), 0);
    return paths > counter.entries + MAX_REPEATED_PATHS;
  } catch {
    // What cannot be read here, as behind encryption, is left to pdfium.
    return false;
  }
}

/** Files that were searched: a job opens the same bytes some times. */
const searched = new WeakSet<Uint8Array>();

/** @throws JobFailure: the form lists its groups of fields again and again */
export function refuseRepeatedBranches(bytes: Uint8Array): void {
  if (bytes.length > MAX_FILE_BYTES || searched.has(bytes)) return;
  if (repeatsBranches(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
    throw new JobFailure(REPEATED_SENTENCE);
  searched.add(bytes);
}

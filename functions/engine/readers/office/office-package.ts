/**
 * The parts of an office document (ECMA-376 part 2) from an archive of unknown origin. Every reader opens documents
 * here: archives are checked, and inflate no further than their limits.
 */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { dataRange, inflateEntry, inflateStart, listZip, MAX_ENTRIES, type ZipEntry } from "../zip-archive.ts";
import { decodeXmlStart } from "./xml-encoding.ts";

export interface PackageLimits {
  /** Entries in the archive's directory. */
  entries: number;
  /** Inflated bytes of one part. */
  partBytes: number;
  /** Inflated bytes of all parts, checked in the directory first and again as parts are inflated. */
  totalBytes: number;
}

/** A real document may inflate two hundred times; beyond this sum it is no document. */
const PACKAGE_LIMITS: PackageLimits = {
  entries: MAX_ENTRIES,
  partBytes: 64_000_000,
  totalBytes: 199_999_999,
};

export interface OfficePackage {
  /** Names as the archive spells them, without folders. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * Reads a part; undefined when there is none of this name. Names match without regard to case, as the format
   * requires.
   * @throws JobFailure (corrupted) for a part that is damaged or too large
   */
  read(name: string): Uint8Array | undefined;
}

const XML_PART = /\.(?:xml|rels|vml)$/i;

export const corrupted = (cause?: unknown): JobFailure =>
  new JobFailure(JOB_SENTENCES.corrupted, cause === undefined ? {} : { cause });

/** Tells whether a name is empty or leads out of the folder it is unpacked in. */
const isUnsafe = (name: string): boolean =>
  name === "" || /^\/|^[a-z]:|\p{Cc}/iu.test(name) || name.split("/").some((segment) => segment === "..");

/** Rejects entries that share bytes: each would inflate them anew, so that an archive grows without end. */
function checkOverlaps(bytes: Uint8Array, entries: readonly ZipEntry[]): void {
  const ranges = entries.map((entry) => ({ from: entry.offset, to: dataRange(bytes, entry).end }));
  ranges.sort((a, b) => a.from - b.from);
  for (const [index, { from }] of ranges.entries()) {
    if (index > 0 && from < (ranges[index - 1]?.to ?? 0)) throw new RangeError("Two entries overlap");
  }
}

/** Packed bytes inflated to find the end of a part's prolog: first try and limit. */
const FIRST_PROLOG_BYTES = 512;
const MAX_PROLOG_BYTES = 16_384;

/** Tells whether a part continues without `<!` after declarations and comments; undefined when it is cut off before. */
function hasPlainProlog(start: string): boolean | undefined {
  const rest = start.replace(/^\ufeff?(?:\s+|<\?[^>]*\?>|<!--(?:(?!-->).)*-->)*/s, "");
  if (/^(?:<|<\?[^>]*|<!-?|<!--.*)?$/s.test(rest)) return undefined;
  return !rest.startsWith("<!");
}

/**
 * Rejects document type declarations, which could include files or expand entities; no office application writes them.
 * @throws RangeError for such a part, and for a part without a root element
 */
function checkProlog(bytes: Uint8Array, entry: ZipEntry): void {
  for (let packed = FIRST_PROLOG_BYTES; packed <= MAX_PROLOG_BYTES; packed *= 2) {
    const start = inflateStart(bytes, entry, packed);
    const plain = hasPlainProlog(decodeXmlStart(start));
    if (plain === true) return;
    if (plain === false) throw new RangeError("A part has a document type declaration");
    if (packed >= entry.compressedSize) return; // Empty or broken: its reader reports that.
  }
  throw new RangeError("A part does not begin");
}

/** @throws RangeError, Error for an unsound archive; JobFailure for an encrypted one */
function checkEntries(bytes: Uint8Array, entries: readonly ZipEntry[], limits: PackageLimits): void {
  if (entries.some((entry) => entry.encrypted)) throw new JobFailure(JOB_SENTENCES.password);
  if (entries.some((entry) => isUnsafe(entry.name))) throw new RangeError("A name leads out of the archive");
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > limits.totalBytes) throw new RangeError("It is too large");
  checkOverlaps(bytes, entries);
  for (const entry of entries) if (XML_PART.test(entry.name) && entry.size > 0) checkProlog(bytes, entry);
}

/** Parts by lower-case name. @throws RangeError for two parts of one name, which readers would resolve differently */
function indexParts(entries: readonly ZipEntry[]): Map<string, ZipEntry> {
  const parts = new Map<string, ZipEntry>();
  for (const entry of entries) {
    if (entry.name.endsWith("/")) continue;
    const key = entry.name.toLowerCase();
    if (parts.has(key)) throw new RangeError("Two entries have one name");
    parts.set(key, entry);
  }
  return parts;
}

/**
 * Opens the archive of an office document. Only the starts of XML parts are inflated; nested archives stay closed, and
 * external references are not followed.
 * @throws JobFailure: corrupted for an archive that is damaged, names a part twice or a path outside, has overlapping
 * parts, is larger than the limits or has a document type declaration in a part; password protected for encrypted parts
 */
export function openPackage(bytes: Uint8Array, limits: PackageLimits = PACKAGE_LIMITS): OfficePackage {
  const entries = listZip(bytes, limits.entries);
  if (entries === undefined) throw corrupted();
  let parts: Map<string, ZipEntry>;
  try {
    checkEntries(bytes, entries, limits);
    parts = indexParts(entries);
  } catch (error) {
    throw error instanceof JobFailure ? error : corrupted(error);
  }
  let inflated = 0;
  const counted = new Set<ZipEntry>();
  return {
    names: [...parts.values()].map((entry) => entry.name),
    has: (name) => parts.has(name.toLowerCase()),
    read(name) {
      const entry = parts.get(name.toLowerCase());
      if (entry === undefined) return undefined;
      if (!counted.has(entry)) inflated += entry.size;
      counted.add(entry);
      if (entry.size > limits.partBytes || inflated > limits.totalBytes) throw corrupted();
      try {
        return inflateEntry(bytes, entry);
      } catch (error) {
        throw corrupted(error);
      }
    },
  };
}

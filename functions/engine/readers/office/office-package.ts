/**
 * The parts of an office document (ECMA-376 part 2), out of an archive of unknown origin. Shared by everything that opens
 * one: what is opened here was checked, and inflates no further than its limits.
 */
import { JOB_SENTENCES, JobFailure } from "../../../ports/errors.ts";
import { dataRange, inflateEntry, inflateStart, listZip, MOST_ENTRIES, type ZipEntry } from "../zip-archive.ts";
import { decodeXmlStart } from "./xml-encoding.ts";

export interface PackageLimits {
  /** Entries in the archive's directory. */
  entries: number;
  /** Bytes of one part, inflated. */
  partBytes: number;
  /** Bytes of all parts, inflated; counted in the directory first, and again as parts are inflated. */
  totalBytes: number;
}

/** A real document may inflate two hundred times; past this sum it is no document. */
const PACKAGE_LIMITS: PackageLimits = {
  entries: MOST_ENTRIES,
  partBytes: 64_000_000,
  totalBytes: 199_999_999,
};

export interface OfficePackage {
  /** As the archive spells them; parts that are folders are left out. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /**
   * A part's content; undefined when there is none of this name. Names are matched without regard to case, as the
   * format demands.
   * @throws JobFailure (corrupted) for a part that is damaged or larger than allowed
   */
  read(name: string): Uint8Array | undefined;
}

const XML_PART = /\.(?:xml|rels|vml)$/i;

export const corrupted = (cause?: unknown): JobFailure =>
  new JobFailure(JOB_SENTENCES.corrupted, cause === undefined ? {} : { cause });

/** Names that would lead out of a folder if they were unpacked there, and names that are none. */
const isUnsafe = (name: string): boolean =>
  name === "" || /^\/|^[a-z]:|\p{Cc}/iu.test(name) || name.split("/").some((segment) => segment === "..");

/** Two entries that share bytes: each inflates them anew, which is how an archive grows without end. */
function checkOverlaps(bytes: Uint8Array, entries: readonly ZipEntry[]): void {
  const ranges = entries.map((entry) => ({ from: entry.offset, to: dataRange(bytes, entry).end }));
  ranges.sort((a, b) => a.from - b.from);
  for (const [index, { from }] of ranges.entries()) {
    if (index > 0 && from < (ranges[index - 1]?.to ?? 0)) throw new RangeError("Two entries overlap");
  }
}

/** Packed bytes of a part that its prolog is looked for in: at first, and at most. */
const PROLOG_PACKED = 512;
const MOST_PROLOG_PACKED = 16_384;

/** Whether a part goes on with no `<!` after declarations and comments; undefined where it is cut off before that. */
function hasPlainProlog(start: string): boolean | undefined {
  const rest = start.replace(/^\ufeff?(?:\s+|<\?[^>]*\?>|<!--(?:(?!-->).)*-->)*/s, "");
  if (/^(?:<|<\?[^>]*|<!-?|<!--.*)?$/s.test(rest)) return undefined;
  return !rest.startsWith("<!");
}

/**
 * Document type declarations could draw in files or blow a text up by entities; no office application writes them.
 * @throws RangeError for one, and for a part that does not come to its root element
 */
function checkProlog(bytes: Uint8Array, entry: ZipEntry): void {
  for (let packed = PROLOG_PACKED; packed <= MOST_PROLOG_PACKED; packed *= 2) {
    const start = inflateStart(bytes, entry, packed);
    const plain = hasPlainProlog(decodeXmlStart(start));
    if (plain === true) return;
    if (plain === false) throw new RangeError("A part has a document type declaration");
    if (packed >= entry.compressedSize) return; // It is empty, or broken, which its reader says.
  }
  throw new RangeError("A part does not begin");
}

/** @throws RangeError, Error for an archive that is no sound package; JobFailure for an encrypted one */
function checkEntries(bytes: Uint8Array, entries: readonly ZipEntry[], limits: PackageLimits): void {
  if (entries.some((entry) => entry.encrypted)) throw new JobFailure(JOB_SENTENCES.password);
  if (entries.some((entry) => isUnsafe(entry.name))) throw new RangeError("A name leads out of the archive");
  if (entries.reduce((sum, entry) => sum + entry.size, 0) > limits.totalBytes) throw new RangeError("It is too large");
  checkOverlaps(bytes, entries);
  for (const entry of entries) if (XML_PART.test(entry.name) && entry.size > 0) checkProlog(bytes, entry);
}

/** By lower-case name. @throws RangeError for two parts of one name: readers would disagree on what the document says */
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
 * Opens the archive of an office document. Nothing but the beginnings of XML parts is inflated yet; archives inside it
 * stay closed, and nothing that it refers to outside is followed.
 * @throws JobFailure: corrupted for an archive that is damaged, names a part twice or a path outside, has parts that
 * overlap, is larger than the limits or has a document type declaration in a part; password protected for encrypted parts
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

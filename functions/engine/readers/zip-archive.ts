/**
 * Zip archives of unknown origin (PKWARE APPNOTE 6.3.10): the directory is read and checked before anything is inflated,
 * and inflating ends where it was said to end.
 */
import { constants, crc32, inflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** With `/` between folders. */
  name: string;
  /** Bytes when inflated, as the directory says. No more than this is ever inflated. */
  size: number;
  compressedSize: number;
  /** Where its local header begins. */
  offset: number;
  method: number;
  crc: number;
  encrypted: boolean;
}

/** Entries in the directory; more is no office document. */
export const MOST_ENTRIES = 10_000;

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 65_535;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** What stands in a field whose value is in the zip64 extra field. */
const IN_EXTRA = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Numbers past 2⁵³ become inexact, and far too large for any archive at hand. */
const read64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

interface Directory {
  count: number;
  offset: number;
}

/** Where the directory is (4.3.14 to 4.3.16). @throws RangeError where there is none */
function findDirectory(view: DataView): Directory {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(last - LONGEST_COMMENT, 0); at -= 1) {
    if (view.getUint32(at, true) !== END || view.getUint16(at + 20, true) > last - at) continue;
    const locator = at - LOCATOR_64_BYTES;
    if (locator >= 0 && view.getUint32(locator, true) === LOCATOR_64) {
      const end = read64(view, locator + 8);
      if (view.getUint32(end, true) !== END_64) throw new RangeError("The zip64 record is missing");
      return { count: read64(view, end + 32), offset: read64(view, end + 48) };
    }
    return { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) };
  }
  throw new RangeError("The directory is missing");
}

/** The wide values of an entry, in the order of the fields that need them (4.5.3). */
function readExtra64(view: DataView, start: number, end: number): number[] {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 0x0001) continue;
    const values: number[] = [];
    const last = Math.min(at + 4 + view.getUint16(at + 2, true), end);
    for (let value = at + 4; value + 8 <= last; value += 8) values.push(read64(view, value));
    return values;
  }
  return [];
}

const decoder = new TextDecoder();

function readEntry(bytes: Uint8Array, view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (view.getUint32(at, true) !== CENTRAL) throw new RangeError("The directory is damaged");
  const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  if (extraEnd > bytes.length) throw new RangeError("The directory is cut off");
  const wide = readExtra64(view, nameEnd, extraEnd);
  const number = (field: number): number => {
    const value = view.getUint32(at + field, true);
    return value === IN_EXTRA ? (wide.shift() ?? value) : value;
  };
  const size = number(24);
  const compressedSize = number(20);
  const entry = {
    // Some archivers of Windows write its own separator.
    name: decoder.decode(bytes.subarray(at + CENTRAL_BYTES, nameEnd)).replaceAll("\\", "/"),
    size,
    compressedSize,
    offset: number(42),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
  };
  return { entry, next: extraEnd + view.getUint16(at + 32, true) };
}

/** The archive's directory; undefined when it cannot be read or lists too many entries. */
export function listZip(bytes: Uint8Array, most = MOST_ENTRIES): ZipEntry[] | undefined {
  try {
    const view = viewOf(bytes);
    const { count, offset } = findDirectory(view);
    if (count > most) return undefined;
    const entries: ZipEntry[] = [];
    for (let at = offset; entries.length < count; ) {
      const { entry, next } = readEntry(bytes, view, at);
      entries.push(entry);
      at = next;
    }
    return entries;
  } catch {
    return undefined;
  }
}

/** Where an entry's data lies, the end not counted in. @throws RangeError where that is outside the archive */
export function dataRange(bytes: Uint8Array, entry: ZipEntry): { start: number; end: number } {
  const view = viewOf(bytes);
  const { offset } = entry;
  if (view.getUint32(offset, true) !== LOCAL) throw new RangeError("An entry's header is missing");
  const start = offset + LOCAL_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const end = start + entry.compressedSize;
  if (end > bytes.length) throw new RangeError("An entry's data is cut off");
  return { start, end };
}

/**
 * An entry's content.
 * @throws RangeError for one that is encrypted, packed in another way than deflate, or damaged; also for one whose
 * content is not as long as the directory says
 */
export function inflateEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.encrypted) throw new RangeError("The entry is encrypted");
  const { start, end } = dataRange(bytes, entry);
  const data = bytes.subarray(start, end);
  if (entry.method !== STORED && entry.method !== DEFLATED) throw new RangeError("The entry's packing is unknown");
  // zlib refuses a limit of zero.
  const content = entry.method === STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1) });
  if (content.length !== entry.size || crc32(content) !== entry.crc) throw new RangeError("The entry is damaged");
  return content;
}

/** How far a beginning may inflate: deflate packs no more than 1,032 to one. */
const MOST_RATIO = 1_032;

/** The beginning of an entry's content: what its first `most` packed bytes hold. @throws RangeError, Error as above */
export function inflateStart(bytes: Uint8Array, entry: ZipEntry, most: number): Uint8Array {
  const { start, end } = dataRange(bytes, entry);
  const data = bytes.subarray(start, Math.min(end, start + most));
  if (entry.method === STORED) return data;
  return inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: (most + 1) * MOST_RATIO });
}

/**
 * Zip archives of unknown origin (PKWARE APPNOTE 6.3.10). The directory is read and checked before anything is
 * inflated, and inflating stops at the stated size.
 */
import { constants, crc32, inflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** Folders are separated by `/`. */
  name: string;
  /** Inflated bytes as the directory states them. No more than this is ever inflated. */
  size: number;
  compressedSize: number;
  /** Byte offset of its local header. */
  offset: number;
  method: number;
  crc: number;
  encrypted: boolean;
}

/** Limit for entries in the directory; an archive with more is no office document. */
export const MAX_ENTRIES = 10_000;

const END_RECORD_SIGNATURE = 0x06054b50;
const END_RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ZIP64_END_SIGNATURE = 0x06064b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const CENTRAL_HEADER_SIGNATURE = 0x02014b50;
const CENTRAL_HEADER_BYTES = 46;
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
/** Marker in a field whose value stands in the zip64 extra field. */
const IN_ZIP64_EXTRA = 0xffffffff;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads 64 bits. Numbers past 2⁵³ become inexact, and far too large for any archive. */
const readUint64 = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

interface ZipDirectory {
  count: number;
  offset: number;
}

/** Finds the directory (4.3.14 to 4.3.16). @throws RangeError where there is none */
function findDirectory(view: DataView): ZipDirectory {
  const last = view.byteLength - END_RECORD_BYTES;
  for (let at = last; at >= Math.max(last - MAX_COMMENT_BYTES, 0); at -= 1) {
    if (view.getUint32(at, true) !== END_RECORD_SIGNATURE || view.getUint16(at + 20, true) > last - at) continue;
    const locator = at - ZIP64_LOCATOR_BYTES;
    if (locator >= 0 && view.getUint32(locator, true) === ZIP64_LOCATOR_SIGNATURE) {
      const end = readUint64(view, locator + 8);
      if (view.getUint32(end, true) !== ZIP64_END_SIGNATURE) throw new RangeError("The zip64 record is missing");
      return { count: readUint64(view, end + 32), offset: readUint64(view, end + 48) };
    }
    return { count: view.getUint16(at + 10, true), offset: view.getUint32(at + 16, true) };
  }
  throw new RangeError("The directory is missing");
}

/** The 64-bit values of an entry, in the order of the fields that need them (4.5.3). */
function readExtra64(view: DataView, start: number, end: number): number[] {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 0x0001) continue;
    const values: number[] = [];
    const last = Math.min(at + 4 + view.getUint16(at + 2, true), end);
    for (let value = at + 4; value + 8 <= last; value += 8) values.push(readUint64(view, value));
    return values;
  }
  return [];
}

const decoder = new TextDecoder();

function readEntry(bytes: Uint8Array, view: DataView, at: number): { entry: ZipEntry; next: number } {
  if (view.getUint32(at, true) !== CENTRAL_HEADER_SIGNATURE) throw new RangeError("The directory is damaged");
  const nameEnd = at + CENTRAL_HEADER_BYTES + view.getUint16(at + 28, true);
  const extraEnd = nameEnd + view.getUint16(at + 30, true);
  if (extraEnd > bytes.length) throw new RangeError("The directory is cut off");
  const wide = readExtra64(view, nameEnd, extraEnd);
  const number = (field: number): number => {
    const value = view.getUint32(at + field, true);
    return value === IN_ZIP64_EXTRA ? (wide.shift() ?? value) : value;
  };
  const size = number(24);
  const compressedSize = number(20);
  const entry = {
    // Some archivers of Windows write backslashes.
    name: decoder.decode(bytes.subarray(at + CENTRAL_HEADER_BYTES, nameEnd)).replaceAll("\\", "/"),
    size,
    compressedSize,
    offset: number(42),
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
  };
  return { entry, next: extraEnd + view.getUint16(at + 32, true) };
}

/** The directory of an archive; undefined when it cannot be read or lists too many entries. */
export function listZip(bytes: Uint8Array, most = MAX_ENTRIES): ZipEntry[] | undefined {
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

/** Byte range of an entry's data, the end exclusive. @throws RangeError when it is outside the archive */
export function dataRange(bytes: Uint8Array, entry: ZipEntry): { start: number; end: number } {
  const view = viewOf(bytes);
  const { offset } = entry;
  if (view.getUint32(offset, true) !== LOCAL_HEADER_SIGNATURE) throw new RangeError("An entry's header is missing");
  const start = offset + LOCAL_HEADER_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const end = start + entry.compressedSize;
  if (end > bytes.length) throw new RangeError("An entry's data is cut off");
  return { start, end };
}

/**
 * Inflates an entry.
 * @throws RangeError for an entry that is encrypted, damaged, or not packed with deflate; also for content whose length
 * differs from the directory
 */
export function inflateEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array {
  if (entry.encrypted) throw new RangeError("The entry is encrypted");
  const { start, end } = dataRange(bytes, entry);
  const data = bytes.subarray(start, end);
  if (entry.method !== METHOD_STORED && entry.method !== METHOD_DEFLATED)
    throw new RangeError("The entry's packing is unknown");
  // zlib refuses a limit of zero.
  const content =
    entry.method === METHOD_STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(entry.size, 1) });
  if (content.length !== entry.size || crc32(content) !== entry.crc) throw new RangeError("The entry is damaged");
  return content;
}

/** Deflate packs no more than 1,032 to one. */
const MAX_DEFLATE_RATIO = 1_032;

/** Inflates the start of an entry: the content of its first `most` packed bytes. @throws RangeError, Error as above */
export function inflateStart(bytes: Uint8Array, entry: ZipEntry, most: number): Uint8Array {
  const { start, end } = dataRange(bytes, entry);
  const data = bytes.subarray(start, Math.min(end, start + most));
  if (entry.method === METHOD_STORED) return data;
  return inflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: (most + 1) * MAX_DEFLATE_RATIO });
}

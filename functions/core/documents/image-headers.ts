/** Image headers, read without decoding: enough to tell a whole header from a broken one. */
import { JPEG, PNG, TIFF } from "./media-types.ts";

export interface ImageHeader {
  /** Pixels of the first page. */
  width: number;
  height: number;
  pageCount: number;
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** PNG specification, 5.3 and 11.2.2: the signature, then IHDR. */
function readPng(bytes: Uint8Array): ImageHeader | undefined {
  if (bytes.length < 33) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20), pageCount: 1 };
}

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** ITU-T T.81, B.1 and B.2.2: segments up to the frame header. */
function readJpeg(bytes: Uint8Array): ImageHeader | undefined {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
    } else if (isFrameHeader(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7), pageCount: 1 };
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
    } else if (marker === 0xda || marker === 0xd9) {
      return undefined;
    } else {
      at += 2 + view.getUint16(at + 2);
    }
  }
  return undefined;
}

const WIDTH_TAG = 256;
const HEIGHT_TAG = 257;
const SHORT = 3;
const MOST_PAGES = 10_000;

/** The parts of the two TIFF layouts that differ: classic (TIFF 6.0) and BigTIFF. */
interface TiffShape {
  view: DataView;
  little: boolean;
  big: boolean;
}

const offsetAt = ({ view, little, big }: TiffShape, at: number): number =>
  big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);

interface Directory {
  width: number;
  height: number;
  next: number;
}

/** @throws RangeError past the end */
function readDirectory(shape: TiffShape, at: number): Directory {
  const { view, little, big } = shape;
  const count = big ? Number(view.getBigUint64(at, little)) : view.getUint16(at, little);
  const [head, entry] = big ? [8, 20] : [2, 12];
  const directory = { width: 0, height: 0, next: offsetAt(shape, at + head + count * entry) };
  for (let index = 0; index < count; index += 1) {
    const field = at + head + index * entry;
    const tag = view.getUint16(field, little);
    if (tag !== WIDTH_TAG && tag !== HEIGHT_TAG) continue;
    const value = field + (big ? 12 : 8);
    const size =
      view.getUint16(field + 2, little) === SHORT ? view.getUint16(value, little) : view.getUint32(value, little);
    directory[tag === WIDTH_TAG ? "width" : "height"] = size;
  }
  return directory;
}

/** TIFF 6.0, section 2: the chain of directories, one a page. */
function readTiff(bytes: Uint8Array): ImageHeader | undefined {
  try {
    const view = viewOf(bytes);
    const little = bytes[0] === 0x49;
    const shape = { view, little, big: view.getUint16(2, little) === 43 };
    let at = offsetAt(shape, shape.big ? 8 : 4);
    const seen = new Set<number>();
    let first: Directory | undefined;
    while (at !== 0 && seen.size < MOST_PAGES) {
      if (seen.has(at)) return undefined;
      seen.add(at);
      const directory = readDirectory(shape, at);
      first ??= directory;
      at = directory.next;
    }
    return first === undefined ? undefined : { width: first.width, height: first.height, pageCount: seen.size };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS: Record<string, (bytes: Uint8Array) => ImageHeader | undefined> = {
  [JPEG]: readJpeg,
  [PNG]: readPng,
  [TIFF]: readTiff,
};

/** The header of a JPEG, PNG or TIFF; undefined when it is not well formed or the image has no size. */
export function readImageHeader(bytes: Uint8Array, mimeType: string): ImageHeader | undefined {
  const header = READERS[mimeType]?.(bytes);
  return header !== undefined && header.width > 0 && header.height > 0 ? header : undefined;
}

/** PNG headers: PNG specification (third edition), 5.3, 11.2.1, 11.3.4.3 and 11.3.3.4. */
import type { ImagePage } from "./image-page.ts";
import { readExif } from "./tiff-header.ts";

/** Chunks inspected. A file of more has only pixels behind them. */
const MAX_CHUNKS = 100_000;
const UNIT_METRE = 1;
const INCHES_PER_METRE = 1 / 0.0254;

const typeCode = (name: string): number => Buffer.from(name, "latin1").readUInt32BE();
const IHDR = typeCode("IHDR");
const PHYS = typeCode("pHYs");
const EXIF = typeCode("eXIf");
const IDAT = typeCode("IDAT");
const IEND = typeCode("IEND");

/** Samples of a decoded pixel by colour type (11.2.1); colours of a palette may be transparent. */
const samplesPerPixel = (colourType: number): number => ({ 0: 1, 2: 3, 4: 2 })[colourType] ?? 4;

/** Reads a PNG header; undefined when the file does not begin with one, or has no pixels behind it. */
export function readPngPage(bytes: Uint8Array): ImagePage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || view.getUint32(8) !== 13 || view.getUint32(12) !== IHDR) return undefined;
  const page: ImagePage = { width: view.getUint32(16), height: view.getUint32(20), orientation: 1, directory: 0 };
  if (view.getUint8(28) !== 0)
    page.wholeDecodeBytesPerPixel = samplesPerPixel(view.getUint8(25)) * (view.getUint8(24) > 8 ? 2 : 1);
  let hasPixels = false;
  // A chunk is its length, its type, its data and a checksum. The orientation may stand behind the pixels.
  for (let at = 33, chunks = 0; at + 8 <= bytes.length && chunks < MAX_CHUNKS; chunks += 1) {
    const length = view.getUint32(at);
    const type = view.getUint32(at + 4);
    const data = at + 8;
    if (type === IDAT) hasPixels = true;
    if (type === IEND || data + length > bytes.length) break;
    if (type === PHYS && length === 9) {
      const absolute = view.getUint8(data + 8) === UNIT_METRE;
      const scale = absolute ? 1 / INCHES_PER_METRE : 1;
      const [x, y] = [view.getUint32(data) * scale, view.getUint32(data + 4) * scale];
      if (x > 0 && y > 0) page.resolution = { x, y, absolute };
    } else if (type === EXIF) {
      page.orientation = readExif(bytes.subarray(data, data + length)).orientation;
    }
    at = data + length + 4;
  }
  return hasPixels ? page : undefined;
}

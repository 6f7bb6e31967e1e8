/** Encodes gray pictures as uncompressed files that Tesseract reads. */
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";

/** A binary PGM file (netpbm, pgm(5)). */
export function toPgm({ width, height, pixels }: GrayImage): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  return file;
}

const TIFF_SHORT = 3;
const TIFF_LONG = 4;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/**
 * Encodes a TIFF file of one strip (TIFF 6.0, section 4, grayscale). The program reads it by rows, a PGM by single
 * pixels, which takes a twentieth of a second more for a page.
 * @returns its parts in order; the pixels are the picture's own
 */
export function toTiff({ width, height, pixels }: GrayImage): Uint8Array[] {
  const entries = [
    [256, TIFF_LONG, width], // ImageWidth
    [257, TIFF_LONG, height], // ImageLength
    [258, TIFF_SHORT, 8], // BitsPerSample
    [259, TIFF_SHORT, 1], // Compression: none
    [262, TIFF_SHORT, 1], // PhotometricInterpretation: black is zero
    [273, TIFF_LONG, HEADER_BYTES], // StripOffsets
    [277, TIFF_SHORT, 1], // SamplesPerPixel
    [278, TIFF_LONG, height], // RowsPerStrip
    [279, TIFF_LONG, pixels.length], // StripByteCounts
  ] as const;
  const header = new Uint8Array(HEADER_BYTES);
  const padding = pixels.length % 2; // a directory begins on a word
  header.set([0x49, 0x49, 42, 0]); // little-endian
  new DataView(header.buffer).setUint32(4, HEADER_BYTES + pixels.length + padding, true);
  const directory = new Uint8Array(padding + 2 + entries.length * ENTRY_BYTES + 4);
  const view = new DataView(directory.buffer, padding);
  view.setUint16(0, entries.length, true);
  for (const [at, [tag, type, value]] of entries.entries()) {
    const entry = 2 + at * ENTRY_BYTES;
    view.setUint16(entry, tag, true);
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, 1, true);
    // A short takes the first half of the value field.
    view.setUint32(entry + 8, value, true);
  }
  return [header, pixels, directory];
}

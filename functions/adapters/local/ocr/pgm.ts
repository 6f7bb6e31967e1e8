import type { Gray } from "../../../core/ocr/picture/gray.ts";

/** A picture as a binary PGM file (netpbm, pgm(5)), which costs nothing to write or read. */
export function toPgm({ width, height, pixels }: Gray): Uint8Array {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  return file;
}

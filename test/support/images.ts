/** Images drawn by our own code, with exactly known contents. */
import sharp from "sharp";

type Rgb = [number, number, number];

export const RED: Rgb = [255, 0, 0];
export const GREEN: Rgb = [0, 160, 0];
export const BLUE: Rgb = [0, 0, 255];
export const BLACK: Rgb = [0, 0, 0];

/** Four quarters: red, green / blue, black. */
export function quarters(width: number, height: number) {
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [top, bottom] = x < width / 2 ? [RED, BLUE] : [GREEN, BLACK];
      rgb.set(y < height / 2 ? top : bottom, (y * width + x) * 3);
    }
  }
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** One channel: the first quarter white, the others black. */
export function whiteQuarter(width: number, height: number) {
  const gray = Buffer.alloc(width * height);
  for (let y = 0; y < height / 2; y += 1) gray.fill(255, y * width, y * width + width / 2);
  return sharp(gray, { raw: { width, height, channels: 1 } }).toColourspace("b-w");
}

/** Colours at the centres of the four quarters, row by row. */
export async function cornersOf(picture: Uint8Array): Promise<number[][]> {
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number): number[] => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
    const pixel = [...data.subarray(start, start + info.channels)];
    return pixel.length === 1 ? [pixel[0] ?? 0, pixel[0] ?? 0, pixel[0] ?? 0] : pixel;
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
}

/** The initial of the nearest named colour; w for white. */
export function nameColours(colours: readonly number[][]): string {
  const names: [string, Rgb][] = [
    ["r", RED],
    ["g", GREEN],
    ["b", BLUE],
    ["k", BLACK],
    ["w", [255, 255, 255]],
  ];
  const distance = (a: readonly number[], b: Rgb): number =>
    b.reduce((sum, value, index) => sum + Math.abs(value - (a[index] ?? 0)), 0);
  return colours
    .map((colour) => names.toSorted((a, b) => distance(colour, a[1]) - distance(colour, b[1]))[0]?.[0] ?? "")
    .join("");
}

/** A field of a TIFF directory: SHORT (3) or LONG (4) values, or RATIONALs (5) as pairs. */
export type Field = readonly [tag: number, type: 3 | 4 | 5, values: readonly number[]];

const TYPE_BYTES = { 3: 2, 4: 4, 5: 8 } as const;

/** A little-endian TIFF; each page has its fields and one strip, whose offset and length are added. */
export function tiffOf(pages: readonly { fields: readonly Field[]; strip: Uint8Array }[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let length = 8;
  const add = (part: Buffer): number => {
    const at = length;
    const padded = part.length % 2 === 0 ? part : Buffer.concat([part, Buffer.alloc(1)]);
    parts.push(padded);
    length += padded.length;
    return at;
  };
  let link: [Buffer, number] = [parts[0] ?? Buffer.alloc(0), 4];
  for (const { fields, strip } of pages) {
    const at = add(Buffer.from(strip));
    const all: Field[] = [...fields, [273, 4, [at]], [279, 4, [strip.length]]];
    all.sort((a, b) => a[0] - b[0]);
    const directory = Buffer.alloc(2 + all.length * 12 + 4);
    directory.writeUInt16LE(all.length);
    for (const [index, [tag, type, values]] of all.entries()) {
      const entry = 2 + index * 12;
      const value = Buffer.alloc(Math.max(values.length * (type === 5 ? 4 : TYPE_BYTES[type]), 4));
      for (const [position, one] of values.entries()) {
        if (type === 3) value.writeUInt16LE(one, position * 2);
        else value.writeUInt32LE(one, position * 4);
      }
      directory.writeUInt16LE(tag, entry);
      directory.writeUInt16LE(type, entry + 2);
      directory.writeUInt32LE(type === 5 ? values.length / 2 : values.length, entry + 4);
      if (value.length > 4) directory.writeUInt32LE(add(value), entry + 8);
      else value.copy(directory, entry + 8);
    }
    link[0].writeUInt32LE(add(directory), link[1]);
    link = [directory, directory.length - 4];
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** Fields of a page with one bit per pixel, 0 for black. */
export const bilevel = (width: number, height: number, compression: number, more: readonly Field[] = []): Field[] => [
  [256, 4, [width]],
  [257, 4, [height]],
  [258, 3, [1]],
  [259, 3, [compression]],
  [277, 3, [1]],
  [278, 4, [height]],
  ...(more.some(([tag]) => tag === 262) ? [] : [[262, 3, [1]] as const]),
  ...more,
];

const FIELD_TYPE_BYTES: Record<number, number> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};

/** Joins the pages of several little-endian TIFFs into one, and moves all offsets. */
export function joinTiffs(files: readonly Uint8Array[]): Uint8Array {
  const whole = Buffer.concat(files.map((file) => Buffer.concat([file, Buffer.alloc(file.length % 2)])));
  let base = 0;
  let link = 4;
  for (const file of files) {
    const view = new DataView(whole.buffer, whole.byteOffset + base);
    let at = view.getUint32(4, true);
    whole.writeUInt32LE(base + at, link);
    while (at !== 0) {
      const count = view.getUint16(at, true);
      for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
        const [tag, type] = [view.getUint16(entry, true), view.getUint16(entry + 2, true)];
        const values = view.getUint32(entry + 4, true);
        const outside = values * (FIELD_TYPE_BYTES[type] ?? 1) > 4;
        const start = outside ? view.getUint32(entry + 8, true) : entry + 8;
        if (outside) view.setUint32(entry + 8, start + base, true);
        if (tag !== 273 && tag !== 324) continue;
        for (let index = 0; index < values; index += 1) {
          const place = start + index * (FIELD_TYPE_BYTES[type] ?? 1);
          if (type === 4) view.setUint32(place, view.getUint32(place, true) + base, true);
          else throw new Error("The strips of this TIFF are placed by other than LONG values");
        }
      }
      link = base + at + 2 + count * 12;
      at = view.getUint32(link - base, true);
      if (at !== 0) whole.writeUInt32LE(base + at, link);
    }
    base += file.length + (file.length % 2);
  }
  return new Uint8Array(whole);
}

/** A PNG that claims any size with hardly any pixels. */
export function claimingPng(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length);
    body.copy(frame, 4);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", Buffer.from([1])), chunk("IEND", Buffer.alloc(0))]),
  );
}

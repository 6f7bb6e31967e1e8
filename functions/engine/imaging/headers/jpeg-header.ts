/** JPEG headers: ITU-T T.81, B.1 and B.2.2; JFIF (T.871, 10.1); EXIF in APP1 (CIPA DC-008, 4.7.2). */
import { CENTIMETRES_PER_INCH, type ImagePage, type Resolution } from "./image-page.ts";
import { readExif } from "./tiff-header.ts";

const APP0 = 0xe0;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const JFIF_HEADER = "JFIF\0";
const EXIF_HEADER = "Exif\0\0";

const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const isProgressive = (marker: number): boolean => [0xc2, 0xc6, 0xca, 0xce].includes(marker);

const hasNoLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

interface Segment {
  marker: number;
  /** The bytes after the length. */
  body: Uint8Array;
}

/** The segments up to the first scan, which has no body; ends early where they are malformed. */
function* headerSegments(bytes: Uint8Array): Generator<Segment> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
    } else if (hasNoLength(marker)) {
      at += 2;
    } else {
      const end = at + 2 + view.getUint16(at + 2);
      if (marker === END_OF_IMAGE || end > bytes.length) return;
      yield { marker, body: bytes.subarray(at + 4, end) };
      if (marker === START_OF_SCAN) return;
      at = end;
    }
  }
}

const startsWithText = (body: Uint8Array, text: string): boolean =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, text.length)).toString("latin1") === text;

/** JFIF: unit at 7 (0 none, 1 inch, 2 centimetre), then the densities. */
function jfifResolution(body: Uint8Array): Resolution | undefined {
  if (body.length < 12) return undefined;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const scale = body[7] === 2 ? CENTIMETRES_PER_INCH : 1;
  const [x, y] = [view.getUint16(8) * scale, view.getUint16(10) * scale];
  return x > 0 && y > 0 ? { x, y, absolute: body[7] !== 0 } : undefined;
}

const COEFFICIENT_BYTES = 2;

/** Bytes a pixel of all coefficients, by the sampling of the frame's components (B.2.2): 3 for 4:2:0, 6 for 4:4:4. */
function coefficientBytes(frame: Uint8Array): number {
  const factors = Array.from({ length: Math.min(frame[5] ?? 0, 4) }, (_, component) => {
    const sampling = frame[7 + 3 * component] ?? 0;
    return { across: Math.max(sampling >> 4, 1), down: Math.max(sampling & 15, 1) };
  });
  const blocks = Math.max(...factors.map(({ across }) => across)) * Math.max(...factors.map(({ down }) => down));
  return factors.reduce((sum, { across, down }) => sum + (COEFFICIENT_BYTES * across * down) / blocks, 0);
}

/** Reads a JPEG header; undefined when it has no frame or its pixels do not begin within the file. */
export function readJpegPage(bytes: Uint8Array): ImagePage | undefined {
  const page: ImagePage = { width: 0, height: 0, orientation: 1, directory: 0 };
  let jfif: Resolution | undefined;
  for (const { marker, body } of headerSegments(bytes)) {
    if (marker === START_OF_SCAN) {
      const resolution = jfif?.absolute === true ? jfif : (page.resolution ?? jfif);
      return { ...page, ...(resolution === undefined ? {} : { resolution }) };
    }
    if (isFrameHeader(marker) && body.length >= 5) {
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
      page.height = view.getUint16(1);
      page.width = view.getUint16(3);
      if (isProgressive(marker)) page.wholeDecodeBytesPerPixel = coefficientBytes(body);
    } else if (marker === APP0 && startsWithText(body, JFIF_HEADER)) {
      jfif ??= jfifResolution(body);
    } else if (marker === APP1 && startsWithText(body, EXIF_HEADER)) {
      Object.assign(page, readExif(body.subarray(EXIF_HEADER.length)));
    }
  }
  return undefined;
}

/** Character encoding of a text's bytes (WHATWG Encoding; Unicode 16, 23.8 on byte order marks). */
import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

type TextEncodingName = "utf-8" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be" | "windows-1252";

const BYTE_ORDER_MARKS: readonly [readonly number[], TextEncodingName][] = [
  // Before UTF-16, whose byte order mark it begins with.
  [[0xff, 0xfe, 0, 0], "utf-32le"],
  [[0, 0, 0xfe, 0xff], "utf-32be"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** Bytes inspected to find UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 8_192;
/** Shares of zeros among every other byte. Western text has mostly zeros as high bytes, and hardly any as low bytes. */
const MIN_HIGH_BYTE_ZERO_SHARE = 0.6;
const MAX_LOW_BYTE_ZERO_SHARE = 0.02;

/** Detects UTF-16 without a byte order mark: in Western text every other byte is zero. */
function findUnmarkedUtf16(bytes: Uint8Array): TextEncodingName | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  const pairs = Math.min(bytes.length, SAMPLE_BYTES) >> 1;
  let [even, odd] = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  if (odd > MIN_HIGH_BYTE_ZERO_SHARE * pairs && even <= MAX_LOW_BYTE_ZERO_SHARE * pairs) return "utf-16le";
  return even > MIN_HIGH_BYTE_ZERO_SHARE * pairs && odd <= MAX_LOW_BYTE_ZERO_SHARE * pairs ? "utf-16be" : undefined;
}

/** The wide encoding that a byte order mark or the zeros show; undefined for all others. */
export function findWideEncoding(bytes: Uint8Array): TextEncodingName | undefined {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  return marked?.[1] ?? findUnmarkedUtf16(bytes);
}

/**
 * The encoding: wide by byte order mark or zeros, UTF-8 where all bytes are valid, else windows-1252, where every byte
 * is a character.
 */
export const findEncoding = (bytes: Uint8Array): TextEncodingName =>
  findWideEncoding(bytes) ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");

const REPLACEMENT_CODE_POINT = 0xfffd;
/** Code points converted in one call. */
const CODE_POINTS_PER_CHUNK = 8_192;

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 4; at + 4 <= bytes.length; ) {
    const points: number[] = [];
    for (; at + 4 <= bytes.length && points.length < CODE_POINTS_PER_CHUNK; at += 4) {
      const point = view.getUint32(at, littleEndian);
      points.push(point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? REPLACEMENT_CODE_POINT : point);
    }
    parts.push(String.fromCodePoint(...points));
  }
  return parts.join("");
}

/** Decodes the text without its byte order mark. Invalid characters become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  if (encoding === "utf-32le" || encoding === "utf-32be") return decodeUtf32(bytes, encoding === "utf-32le");
  return new TextDecoder(encoding).decode(bytes);
}

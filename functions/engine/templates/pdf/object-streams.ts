/**
 * Object streams of a PDF (PDF 32000-1, 7.5.7) before the library unpacks them: it does so without a limit, and makes up
 * to fifty bytes of objects from each byte.
 */
import { constants, inflateSync } from "node:zlib";
import { UnprocessableEntity } from "../../../ports/errors.ts";

/** Most unpacked bytes of all object streams: as many as a document without them may have. */
export const MAX_UNPACKED_BYTES = 10_000_000;
/** Counted for a stream that is damaged on the way, where it unpacks to less than that before. */
const DAMAGED_STREAM_BYTES = 1_000_000;
/** Longest dictionary of a stream that is looked through. */
const MAX_DICTIONARY_BYTES = 16_384;

/** Most rows of a list of objects, about ten times as many as the largest known form has; each takes memory. */
const MAX_LISTED_ROWS = 1_000_000;
/** Most bytes of a column of such a list. No offset needs as many. */
const MAX_COLUMN_BYTES = 16;

const STREAM = "stream";
const TOO_LARGE = `The PDF's objects unpack to more than ${MAX_UNPACKED_BYTES / 1e6} MB; save it again without unused content`;

/** Writes out escaped characters of names: `#4e` is `N`. */
const unescapeNames = (text: string): string =>
  text.replaceAll(/#([0-9a-f]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Streams of objects and of cross-references, and any whose type stands elsewhere. */
const isUnpackedAtOpening = (dictionary: string): boolean =>
  /\/(?:ObjStm|XRef)(?![A-Za-z0-9])|\/Type\s+\d+\s+\d+\s+R/u.test(dictionary);

/**
 * Unpacked size of a stream, as far as it can be told.
 * @throws UnprocessableEntity where it is over `most`, or packed in an unknown way
 */
function unpackedSize(dictionary: string, packed: Buffer, most: number): number | undefined {
  const filters = /\/Filter\s*(\[[^\]]*\]|\/\w+|\d+\s+\d+\s+R)/u.exec(dictionary)?.[1];
  if (filters === undefined) return packed.length;
  if (!/^\[?\s*\/(?:FlateDecode|Fl)\s*\]?$/u.test(filters)) {
    throw new UnprocessableEntity("The PDF packs its objects in an uncommon way; save it again with another program");
  }
  // A damaged stream unpacks too, up to its damage: its size is told only where it is above the lower limit.
  return inflatedSize(packed, most) ?? inflatedSize(packed, Math.min(most, DAMAGED_STREAM_BYTES));
}

/** @returns undefined for damaged bytes @throws UnprocessableEntity where the size is over `most` */
function inflatedSize(packed: Buffer, most: number): number | undefined {
  try {
    return inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, most) }).length;
  } catch (cause) {
    if (cause instanceof RangeError) throw new UnprocessableEntity(TOO_LARGE, { cause });
    return undefined;
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/**
 * Checks the list of a file's objects: the library makes as many rows as it tells, even where it has none.
 * @throws UnprocessableEntity for a list that is told to be larger than any real one
 */
function checkListedRows(dictionary: string): void {
  const numbersOf = (list: string): number[] => list.trim().split(/\s+/u).map(Number);
  const sizes = [...dictionary.matchAll(/\/Size(?![A-Za-z0-9])\s*(\d+(?![\d.])(?!\s+\d+\s+R))?/gu)].map(([, size]) =>
    Number(size),
  );
  const runs = [...dictionary.matchAll(/\/Index(?![A-Za-z0-9])\s*(?:\[([\d\s]*)\])?/gu)].map(
    ([, list = "x"]) => sumOf(numbersOf(list).filter((_, index) => index % 2 === 1)) + (list === "x" ? Number.NaN : 0),
  );
  const widths = [...dictionary.matchAll(/\/W(?![A-Za-z0-9])\s*(?:\[([\d\s]*)\])?/gu)].flatMap(([, list = "x"]) =>
    numbersOf(list),
  );
  const rows = runs.length > 0 ? runs : sizes;
  if (rows.every((count) => count <= MAX_LISTED_ROWS) && widths.every((bytes) => bytes <= MAX_COLUMN_BYTES)) return;
  throw new UnprocessableEntity(
    `The PDF lists its objects in a damaged way, or more than ${MAX_LISTED_ROWS}; save it again with another program`,
  );
}

/**
 * Checks a file before the library opens it.
 * @param maybeEncrypted what looks damaged may be encrypted, and cannot be looked into
 * @throws UnprocessableEntity for a file whose objects unpack to more than the limit
 */
export function checkObjectStreams(bytes: Uint8Array, maybeEncrypted: boolean): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = MAX_UNPACKED_BYTES;
  for (let at = file.indexOf(STREAM); at !== -1; at = file.indexOf(STREAM, at + STREAM.length)) {
    if (file.subarray(Math.max(0, at - 3), at).toString("latin1") === "end") continue;
    const from = Math.max(file.lastIndexOf("obj", at), at - MAX_DICTIONARY_BYTES, 0);
    const dictionary = unescapeNames(file.subarray(from, at).toString("latin1"));
    if (!isUnpackedAtOpening(dictionary)) continue;
    if (!/\/ObjStm(?![A-Za-z0-9])/u.test(dictionary)) checkListedRows(dictionary);
    const start = at + STREAM.length + (file[at + STREAM.length] === 0x0d ? 2 : 1);
    const end = file.indexOf("endstream", start);
    const packed = file.subarray(start, end === -1 ? undefined : end);
    left -= unpackedSize(dictionary, packed, left) ?? (maybeEncrypted ? 0 : DAMAGED_STREAM_BYTES);
    if (left < 0) throw new UnprocessableEntity(TOO_LARGE);
  }
}

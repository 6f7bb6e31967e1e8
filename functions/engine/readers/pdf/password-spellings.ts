/** The bytes that a password may have been turned into by the program that encrypted a PDF. */

/** Bytes of UTF-8 that count of a password (ISO 32000-2, 7.6.4.3.3). */
const MAX_PASSWORD_BYTES = 127;

/** Characters that SASLprep leaves out (RFC 3454, table B.1). */
const MAPPED_TO_NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200b-\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;

/** Spaces other than U+0020, which SASLprep turns into it (RFC 3454, table C.1.2). */
const OTHER_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Bytes of PDFDocEncoding that differ from Latin-1 (ISO 32000-2, annex D.3): the first byte, and its characters. */
const PDF_DOC_ENCODING: readonly (readonly [number, string])[] = [
  [0x18, "˘ˇˆ˙˝˛˚˜"],
  [0x80, "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž"],
  [0xa0, "€"],
];

/** Bytes of Windows-1252 that differ from Latin-1; a space stands for a byte without a character. */
const WINDOWS_1252: readonly (readonly [number, string])[] = [[0x80, "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"]];

/** Table of characters to bytes: Latin-1 with some bytes replaced. */
function bytesByCharacter(replaced: readonly (readonly [number, string])[]): Map<string, number> {
  const table = new Map<string, number>();
  for (let byte = 0; byte < 0x80; byte += 1) table.set(String.fromCharCode(byte), byte);
  for (let byte = 0xa0; byte <= 0xff; byte += 1) table.set(String.fromCharCode(byte), byte);
  for (const [first, characters] of replaced) {
    for (const [index, character] of [...characters].entries()) {
      if (character !== " ") table.set(character, first + index);
    }
  }
  return table;
}

/** @returns undefined for a text with a character that the encoding lacks */
function encodeWith(text: string, replaced: readonly (readonly [number, string])[]): Uint8Array | undefined {
  const table = bytesByCharacter(replaced);
  const bytes = [...text].map((character) => table.get(character));
  return bytes.includes(undefined) ? undefined : Uint8Array.from(bytes as number[]);
}

/** Prepares a password as SASLprep does (RFC 4013); nothing is refused, as the file tells whether it opens. */
const saslPrepared = (text: string): string =>
  text.replace(OTHER_SPACES, " ").replace(MAPPED_TO_NOTHING, "").normalize("NFKC");

/**
 * Spells a password for each encoding that writers of PDFs use, the likeliest first and none twice. AES-256 takes
 * UTF-8 after SASLprep, which not all writers apply; older encryption takes PDFDocEncoding, or what the writer's system
 * had.
 */
export function passwordSpellings(password: string): Uint8Array[] {
  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text).subarray(0, MAX_PASSWORD_BYTES);
  const composed = password.normalize("NFC");
  const spellings = [
    utf8(saslPrepared(password)),
    utf8(password),
    utf8(composed),
    encodeWith(composed, PDF_DOC_ENCODING),
    encodeWith(composed, WINDOWS_1252),
  ];
  const unique = new Map<string, Uint8Array>();
  for (const bytes of spellings) if (bytes !== undefined) unique.set(Buffer.from(bytes).toString("latin1"), bytes);
  return [...unique.values()];
}

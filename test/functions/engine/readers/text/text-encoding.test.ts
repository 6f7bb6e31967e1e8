import { describe, expect, it } from "vitest";
import { sniffDocument } from "../../../../../functions/engine/readers/sniff-media-type.ts";
import { decodeText, findEncoding } from "../../../../../functions/engine/readers/text/text-encoding.ts";
import { PLAIN_TEXT } from "../../../../../functions/ports/media-types.ts";

const TEXT = "Größe: 12 € and more words";
const little = Buffer.from(TEXT, "utf16le");
const big = Buffer.from(little).swap16();
const wide = (littleEndian: boolean): Uint8Array => {
  const points = [0xfeff, ...[...TEXT].map((character) => character.codePointAt(0) ?? 0)];
  const view = new DataView(new ArrayBuffer(4 * points.length));
  for (const [index, point] of points.entries()) view.setUint32(4 * index, point, littleEndian);
  return new Uint8Array(view.buffer);
};

describe("decodeText", () => {
  it.each([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${TEXT}`)],
    ["UTF-16, little end first", Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ["UTF-16, big end first", Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ["UTF-16 without a mark, little end first", little],
    ["UTF-16 without a mark, big end first", big],
    ["UTF-32, little end first", wide(true)],
    ["UTF-32, big end first", wide(false)],
    ["windows-1252", Buffer.from("Gr\xf6\xdfe: 12 \x80 and more words", "latin1")],
  ])("decodes %s", (_, bytes) => {
    const content = new Uint8Array(bytes);
    expect(decodeText(content)).toBe(TEXT);
    expect(sniffDocument(content).mimeType).toBe(PLAIN_TEXT);
  });

  it("replaces invalid characters by U+FFFD", () => {
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0, 0, 0, 0, 0x11, 0, 0x41, 0, 0, 0]))).toBe("\ufffdA");
  });

  it("does not take truncated UTF-8 as UTF-8", () => {
    expect(findEncoding(new Uint8Array([0x61, 0xc3]))).toBe("windows-1252");
  });
});

describe("sniffDocument does not take as text", () => {
  it.each([
    [
      "numbers of two bytes",
      new Uint8Array(Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? (index * 7) % 31 : 0))),
    ],
    ["zeros", new Uint8Array(100)],
    ["a mark and zeros", new Uint8Array([0xff, 0xfe, 0, 0, 0, 0, 0, 0])],
    [
      "a mark and halves of characters",
      new Uint8Array([0xff, 0xfe, ...Buffer.from("\ud800\ud800\ud800\ud800", "utf16le")]),
    ],
  ])("%s", (_, bytes) => {
    expect(() => sniffDocument(bytes)).toThrow();
  });
});

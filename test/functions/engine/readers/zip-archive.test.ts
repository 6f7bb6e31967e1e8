import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import {
  inflateEntry,
  inflateStart,
  listZip,
  type ZipEntry,
} from "../../../../functions/engine/readers/zip-archive.ts";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const archive = zipSync({ "a/one.txt": [text("one"), { level: 0 }], "two.txt": text("two ".repeat(500)) });

/** The archive's entries, which exist. */
function entriesOf(bytes: Uint8Array): ZipEntry[] {
  const entries = listZip(bytes);
  if (entries === undefined) throw new Error("The archive cannot be listed");
  return entries;
}

/** A copy with a number of the directory's first entry changed. */
function withField(bytes: Uint8Array, field: number, value: number): Uint8Array {
  const copy = bytes.slice();
  const at = Buffer.from(copy.buffer).indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  new DataView(copy.buffer).setUint32(at + field, value, true);
  return copy;
}

/** The same archive with a zip64 record, the only place that states count and offset. */
function withZip64(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 22;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const record = new DataView(new ArrayBuffer(56 + 20));
  record.setUint32(0, 0x06064b50, true);
  record.setBigUint64(32, BigInt(view.getUint16(end + 10, true)), true);
  record.setBigUint64(48, BigInt(view.getUint32(end + 16, true)), true);
  record.setUint32(56, 0x07064b50, true);
  record.setBigUint64(64, BigInt(end), true);
  const tail = bytes.slice(end);
  new DataView(tail.buffer).setUint16(10, 0xffff, true);
  new DataView(tail.buffer).setUint32(16, 0xffffffff, true);
  return Buffer.concat([bytes.subarray(0, end), new Uint8Array(record.buffer), tail]);
}

describe("listZip", () => {
  it("returns entries and their sizes", () => {
    expect(entriesOf(archive).map(({ name, size }) => [name, size])).toEqual([
      ["a/one.txt", 3],
      ["two.txt", 2_000],
    ]);
  });

  it("finds the directory before a comment, and by a zip64 record", () => {
    const commented = Buffer.concat([archive, text("a comment")]);
    new DataView(commented.buffer, commented.byteOffset).setUint16(archive.length - 2, 9, true);
    expect(entriesOf(commented)).toHaveLength(2);
    expect(entriesOf(withZip64(archive)).map(({ name }) => name)).toEqual(["a/one.txt", "two.txt"]);
  });

  it("writes all separators as slashes", () => {
    expect(entriesOf(zipSync({ "word\\document.xml": text("x") }))[0]?.name).toBe("word/document.xml");
  });

  it("returns undefined for a directory that is cut off, points outside or lists too much", () => {
    for (const length of [0, 10, 30, archive.length - 1]) expect(listZip(archive.subarray(0, length))).toBeUndefined();
    const outside = archive.slice();
    new DataView(outside.buffer).setUint32(archive.length - 6, 0xfffffff0, true);
    expect(listZip(outside)).toBeUndefined();
    expect(listZip(archive, 1)).toBeUndefined();
  });
});

describe("inflateEntry", () => {
  it("returns the content, packed or not", () => {
    const [one, two] = entriesOf(archive);
    expect(Buffer.from(inflateEntry(archive, one as ZipEntry)).toString()).toBe("one");
    expect(inflateEntry(archive, two as ZipEntry)).toHaveLength(2_000);
  });

  it("stops at the size of the directory, whatever the data holds", () => {
    const big = zipSync({ "a.xml": new Uint8Array(5_000_000) });
    const lying = withField(big, 24, 1_000);
    expect(() => inflateEntry(lying, entriesOf(lying)[0] as ZipEntry)).toThrow(
      /larger than 1000|maxOutputLength|length/i,
    );
  });

  it("refuses content that differs from the directory", () => {
    const wrongSum = withField(archive, 16, 12_345);
    expect(() => inflateEntry(wrongSum, entriesOf(wrongSum)[0] as ZipEntry)).toThrow(/damaged/);
    const outside = withField(archive, 42, 0x7fffffff);
    expect(() => inflateEntry(outside, entriesOf(outside)[0] as ZipEntry)).toThrow();
  });

  it("inflateStart returns a beginning without the rest", () => {
    const big = zipSync({ "a.xml": text(`<a>${"b".repeat(1_000_000)}</a>`) });
    const start = inflateStart(big, entriesOf(big)[0] as ZipEntry, 64);
    expect(Buffer.from(start.subarray(0, 4)).toString()).toBe("<abb".replace("<a", "<a>").slice(0, 4));
    expect(start.length).toBeLessThan(100_000);
  });
});

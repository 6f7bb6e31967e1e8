import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { openPackage } from "../../../../../functions/engine/readers/office/office-package.ts";
import { JOB_SENTENCES } from "../../../../../functions/ports/errors.ts";
import { packageOf } from "../../../../support/office-parts.ts";

const limits = { entries: 100, partBytes: 10_000, totalBytes: 20_000 };
const good = packageOf({
  "word/document.xml": '<?xml version="1.0"?>\n<!-- made by us --><a/>',
  "word/media/1.emf": "x",
});
const at = (bytes: Uint8Array, mark: readonly number[]): number => Buffer.from(bytes).indexOf(Buffer.from(mark));
const CENTRAL = [0x50, 0x4b, 1, 2];

/** A copy in which every `from` is `to`, of the same length: fflate itself makes no such names. */
const renamed = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(from, to), "latin1"));

it("openPackage returns parts by name, ignoring case", () => {
  const office = openPackage(good);
  expect(office.names).toEqual(["word/document.xml", "word/media/1.emf"]);
  expect(office.has("Word/Document.XML")).toBe(true);
  expect(Buffer.from(office.read("WORD/MEDIA/1.emf") ?? []).toString()).toBe("x");
  expect(office.read("word/none.xml")).toBeUndefined();
});

describe("openPackage refuses", () => {
  it.each([
    ["a path out of the archive", renamed(good, "word/media/1.emf", "../../media/1.em")],
    ["an absolute path", renamed(good, "word/media/1.emf", "/ord/media/1.emf")],
    ["a drive", renamed(good, "word/media/1.emf", "c:\\d/media/1.emf")],
    ["two parts of one name", renamed(packageOf({ "a.xml": "<a/>", "b.xml": "<b/>" }), "b.xml", "A.xml")],
    ["a document type", packageOf({ "a.xml": '<?xml version="1.0"?><!-- c --><!DOCTYPE a [<!ENTITY b "c">]><a/>' })],
    ["a document type in a part that nobody reads", packageOf({ "customXml/x.xml": "<!DOCTYPE a><a/>" })],
    [
      "a document type behind a long comment",
      packageOf({ "a.xml": `<!--${"long ".repeat(9_000)}--><!DOCTYPE a><a/>` }),
    ],
    ["no zip archive", new Uint8Array(100)],
  ])("%s", (_, bytes) => {
    expect(() => openPackage(bytes)).toThrow(JOB_SENTENCES.corrupted);
  });

  it("a document type in UTF-16, with and without a byte order mark", () => {
    const wide = Buffer.from("<!DOCTYPE a><a/>", "utf16le");
    expect(() => openPackage(packageOf({ "a.xml": new Uint8Array([0xff, 0xfe, ...wide]) }))).toThrow(
      JOB_SENTENCES.corrupted,
    );
    expect(() => openPackage(packageOf({ "a.xml": new Uint8Array(wide) }))).toThrow(JOB_SENTENCES.corrupted);
    expect(() => openPackage(packageOf({ "a.xml": new Uint8Array(Buffer.from(wide).swap16()) }))).toThrow(
      JOB_SENTENCES.corrupted,
    );
  });

  it("parts that share their bytes", () => {
    const two = packageOf({ "a.xml": "<a/>", "b.xml": "<b/>" });
    const second = at(two.slice(at(two, CENTRAL) + 4), CENTRAL) + at(two, CENTRAL) + 4;
    const overlapping = two.slice();
    new DataView(overlapping.buffer).setUint32(second + 42, 0, true);
    expect(() => openPackage(overlapping)).toThrow(JOB_SENTENCES.corrupted);
  });

  it("encrypted parts, with the sentence for passwords", () => {
    const encrypted = good.slice();
    encrypted[at(encrypted, CENTRAL) + 8] = 1;
    expect(() => openPackage(encrypted)).toThrow(JOB_SENTENCES.password);
  });

  it("more entries or bytes than the limits, by the directory", () => {
    const many = packageOf(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.bin`, "x"])));
    expect(() => openPackage(many, limits)).toThrow(JOB_SENTENCES.corrupted);
    expect(() => openPackage(packageOf({ a: "x".repeat(20_001) }), limits)).toThrow(JOB_SENTENCES.corrupted);
  });
});

it("a part that inflates to more than the directory says", () => {
  const lying = zipSync({ "a.bin": new Uint8Array(1_000_000) });
  new DataView(lying.buffer).setUint32(at(lying, CENTRAL) + 24, 100, true);
  expect(() => openPackage(lying, limits).read("a.bin")).toThrow(JOB_SENTENCES.corrupted);
  const large = packageOf({ a: "x".repeat(10_001) });
  expect(() => openPackage(large, limits).read("a")).toThrow(JOB_SENTENCES.corrupted);
});

it("openPackage accepts a picture that deflates two hundred times, and a nested archive as a plain part", () => {
  const bytes = zipSync({
    "word/document.xml": Buffer.from("<a/>"),
    "word/media/1.emf": new Uint8Array(11_000_000),
    "x.zip": good,
  });
  expect(bytes.length).toBeLessThan(55_000);
  expect(openPackage(bytes).names).toHaveLength(3);
});

import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { inspectDocument } from "../../../../../functions/engine/readers/inspect-document.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../../../../functions/engine/readers/sniff-media-type.ts";
import { JOB_SENTENCES } from "../../../../../functions/ports/errors.ts";
import { DOCX, XLSX } from "../../../../../functions/ports/media-types.ts";
import { blockTexts, lineTexts, wordIn } from "../../../../support/layout.ts";
import {
  docx,
  WORD_PAGE_BREAK,
  wordParagraph,
  wordParts,
  wordRun,
  wordTable,
  xlsx,
  zipOf,
} from "../../../../support/office.ts";

const read = async (bytes: Uint8Array, mimeType = DOCX) => (await readDocument(bytes, { mimeType })).layout;

describe("readOfficeDocument on Word", () => {
  it("reads paragraphs in order, words with their weight", async () => {
    const layout = await read(
      docx(wordParagraph("Invoice ", wordRun("No. 4711", true)), wordParagraph(), wordParagraph("Second.")),
    );
    expect(layout).toMatchObject({ provider: "docx", logicalPages: true, pageCount: 1 });
    expect(blockTexts(layout.pages[0])).toEqual(["Invoice No. 4711", "Second."]);
    expect(wordIn(layout, "4711").bold).toBe(true);
    expect(wordIn(layout, "Invoice").bold).toBeUndefined();
  });

  it("reads a numbered main part, as Word on the web writes it", async () => {
    const { "word/document.xml": main = "", ...rest } = wordParts(wordParagraph("From the web"));
    const renamed = Object.entries(rest).map(([name, text]) => [
      name,
      text.replaceAll("document.xml", "document2.xml"),
    ]);
    const bytes = zipOf({ ...Object.fromEntries(renamed), "word/document2.xml": main });
    expect(await inspectDocument(bytes, sniffDocument(bytes).mimeType)).toEqual({ pageCount: null });
    expect(lineTexts((await read(bytes)).pages[0])).toEqual(["From the web"]);
  });

  it("joins a word of several runs", async () => {
    expect(lineTexts((await read(docx(wordParagraph("Inv", wordRun("oi", true), "ce")))).pages[0])).toEqual([
      "Invoice",
    ]);
  });

  it("aligns cells in columns, between the paragraphs around them", async () => {
    const layout = await read(
      docx(
        wordParagraph("Before"),
        wordTable([
          ["Item", "Qty"],
          ["Long oak table", "2"],
        ]),
        wordParagraph("After"),
      ),
    );
    expect(lineTexts(layout.pages[0])).toEqual(["Before", "Item", "Qty", "Long oak table", "2", "After"]);
    expect(wordIn(layout, "2").box.left).toBe(wordIn(layout, "Qty").box.left);
    expect(wordIn(layout, "2").box.top).toBe(wordIn(layout, "oak").box.top);
  });

  it("spreads a cell over its columns", async () => {
    const wide = wordTable([
      ["A", "B", "C"],
      ["Shipping and handling", "5"],
    ]).replace(
      '<w:tc><w:p><w:r><w:t xml:space="preserve">Shipping',
      '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t xml:space="preserve">Shipping',
    );
    const layout = await read(docx(wide));
    expect(lineTexts(layout.pages[0])).toEqual(["A", "B", "C", "Shipping and handling", "5"]);
    expect(wordIn(layout, "5").box.left).toBe(wordIn(layout, "C").box.left);
  });

  it("follows page breaks and tabs", async () => {
    const layout = await read(
      docx(
        wordParagraph("One", WORD_PAGE_BREAK),
        wordParagraph(wordRun("Two").replace("</w:t>", "</w:t><w:tab/><w:t>tabbed</w:t>")),
      ),
    );
    expect(layout.pages.map((page) => lineTexts(page))).toEqual([["One"], ["Two", "tabbed"]]);
  });

  it("leaves out text deleted under review", async () => {
    const layout = await read(
      docx(wordParagraph("Price 10", '<w:del w:id="1"><w:r><w:delText>99</w:delText></w:r></w:del>')),
    );
    expect(lineTexts(layout.pages[0])).toEqual(["Price 10"]);
  });

  it("fails with the sentence for documents without text", async () => {
    await expect(read(docx(wordParagraph()))).rejects.toThrow(JOB_SENTENCES.noText);
  });
});

describe("readOfficeDocument on Excel", () => {
  it("reads rows of cells below the sheet's name", async () => {
    const layout = await read(
      xlsx("Orders", [
        ["Item", "Qty"],
        ["Chair", 2.5],
      ]),
      XLSX,
    );
    expect(lineTexts(layout.pages[0])).toEqual(["Orders", "Item", "Qty", "Chair", "2.5"]);
    expect(wordIn(layout, "2.5").box.left).toBe(wordIn(layout, "Qty").box.left);
  });
});

describe("readOfficeDocument on hostile files", () => {
  const parts = wordParts(wordParagraph("text"));
  const document = parts["word/document.xml"] ?? "";

  it("refuses an entity before it expands, in any encoding", async () => {
    const bomb = document
      .replace("?>", '?><!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>')
      .replace("text", "&b;");
    await expect(read(zipOf({ ...parts, "word/document.xml": bomb }))).rejects.toThrow(JOB_SENTENCES.corrupted);
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(bomb.replace("UTF-8", "UTF-16"), "utf16le")]);
    const encoded = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]));
    await expect(read(zipSync({ ...encoded, "word/document.xml": utf16 }))).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("refuses an archive that states 200 MB", async () => {
    const bomb = zipOf({ ...parts, "word/media/1.emf": "x" });
    const last = Buffer.from(bomb).lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    new DataView(bomb.buffer, bomb.byteOffset).setUint32(last + 24, 200_000_000, true);
    await expect(read(bomb)).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("accepts a picture that inflates far", async () => {
    const encoded = Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]));
    const heavy = zipSync({ ...encoded, "word/media/1.emf": new Uint8Array(11_000_000) });
    expect(lineTexts((await read(heavy)).pages[0])).toEqual(["text"]);
  });

  it("refuses a directory of more than 10,000 entries", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p/${index}.xml`, new Uint8Array()]));
    await expect(read(zipSync({ ...many }, { level: 0 }))).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it.each([
    ["cut off", docx(wordParagraph("text")).subarray(0, 300)],
    ["without its main part", zipOf({ "[Content_Types].xml": "<Types/>" })],
    ["not well formed", zipOf({ ...parts, "word/document.xml": "<w:document><w:body>" })],
  ])("reports corrupted: %s", async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(JOB_SENTENCES.corrupted);
  });

  it("reports a password", async () => {
    const ole = new Uint8Array([
      0xd0,
      0xcf,
      0x11,
      0xe0,
      0xa1,
      0xb1,
      0x1a,
      0xe1,
      ...Buffer.from("EncryptedPackage", "utf16le"),
    ]);
    await expect(read(ole)).rejects.toThrow(JOB_SENTENCES.password);
  });
});

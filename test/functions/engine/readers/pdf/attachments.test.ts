import { describe, expect, it } from "vitest";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import type { Attachment } from "../../../../../functions/ports/layout.ts";
import { type Embedded, pdfWithFiles } from "../../../../support/annotated-pdf.ts";
import { textPdf } from "../../../../support/pdf.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = async (files: readonly Embedded[]): Promise<Attachment[]> => {
  const pdf = await pdfWithFiles(files);
  return withPdf(pdf, ({ attachments }) => attachments());
};

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice><Total>Müller 12.50</Total></Invoice>';

describe("readAttachments", () => {
  it("returns an electronic invoice with its text", async () => {
    const file = { name: "factur-x.xml", bytes: bytes(XML), mimeType: "text/xml", description: "Factur-X invoice" };
    expect(await read([file])).toEqual([
      {
        name: "factur-x.xml",
        mimeType: "text/xml",
        size: bytes(XML).length,
        description: "Factur-X invoice",
        content: XML,
      },
    ]);
  });

  it("detects a missing type by content, then by name; decodes UTF-16", async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(XML, "utf16le")]);
    const files = await read([
      { name: "a.dat", bytes: utf16 },
      { name: "b.txt", bytes: bytes("plain") },
      { name: "c.bin", bytes: new Uint8Array([0, 1, 2, 255]) },
    ]);
    expect(files.map(({ name, mimeType, content }) => [name, mimeType, content])).toEqual([
      ["a.dat", "application/xml", XML],
      ["b.txt", "text/plain", "plain"],
      ["c.bin", "application/octet-stream", undefined],
    ]);
  });

  it("returns only the size of binary files and of text over a megabyte", async () => {
    const large = new Uint8Array(1_000_001).fill(0x61);
    const files = await read([
      { name: "large.txt", bytes: large, mimeType: "text/plain" },
      { name: "note.pdf", bytes: bytes("%PDF-1.7"), mimeType: "application/pdf" },
    ]);
    expect(files).toEqual([
      { name: "large.txt", mimeType: "text/plain", size: 1_000_001 },
      { name: "note.pdf", mimeType: "application/pdf", size: 8 },
    ]);
  });

  it("returns a hundred files at most", async () => {
    const many = Array.from({ length: 120 }, (_, index) => ({ name: `${1000 + index}.txt`, bytes: bytes("x") }));
    expect(await read(many)).toHaveLength(100);
  });

  it("returns none for most documents", async () => {
    const plain = await textPdf([{ text: "Nothing inside", x: 50, y: 700 }]);
    expect(await withPdf(plain, ({ attachments }) => attachments())).toEqual([]);
  });
});

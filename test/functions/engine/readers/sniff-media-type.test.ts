import { zipSync } from "fflate";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { resolveMimeType, sniffDocument } from "../../../../functions/engine/readers/sniff-media-type.ts";
import { UnprocessableEntity, UnsupportedMediaType } from "../../../../functions/ports/errors.ts";
import {
  CSV,
  DOCX,
  JPEG,
  MARKDOWN,
  PDF,
  PLAIN_TEXT,
  PNG,
  PPTX,
  TIFF,
  XLSX,
} from "../../../../functions/ports/media-types.ts";
import { docx, wordParagraph, wordParts, xlsx, zipOf } from "../../../support/office.ts";
import { textPdf } from "../../../support/pdf.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const sniff = (content: Uint8Array, declared?: string, fileName?: string): string =>
  sniffDocument(content, declared, fileName).mimeType;

const image = (format: "png" | "jpeg" | "tiff"): Promise<Uint8Array> =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: "white" } })
    .toFormat(format)
    .toBuffer();

const ole = (stream: string): Uint8Array =>
  new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, ...Buffer.from(stream, "utf16le"), 0, 0]);

describe("sniffDocument by content", () => {
  it("recognises PDFs, also after some junk", async () => {
    const pdf = await textPdf([{ text: "x", x: 50, y: 50 }]);
    expect(sniff(pdf)).toBe(PDF);
    expect(sniff(new Uint8Array([...bytes("junk\n".repeat(20)), ...pdf]))).toBe(PDF);
  });

  it("recognises images", async () => {
    expect(sniff(await image("png"))).toBe(PNG);
    expect(sniff(await image("jpeg"))).toBe(JPEG);
    expect(sniff(await image("tiff"))).toBe(TIFF);
  });

  it("recognises office documents by their content types", () => {
    expect(sniff(docx(wordParagraph("x")))).toBe(DOCX);
    expect(sniff(xlsx("S", [["x"]]))).toBe(XLSX);
    expect(sniff(zipOf({ "[Content_Types].xml": "<Types/>", "ppt/presentation.xml": "<p/>" }))).toBe(PPTX);
  });

  it("recognises a truncated Word document", () => {
    const whole = docx(wordParagraph("x".repeat(500)));
    expect(sniff(whole.subarray(0, whole.length - 60))).toBe(DOCX);
  });

  it("distinguishes kinds of text by declared type or file name", () => {
    expect(sniff(bytes("a,b\n1,2\n"))).toBe(PLAIN_TEXT);
    expect(sniff(bytes("a,b\n1,2\n"), undefined, "Export.CSV")).toBe(CSV);
    expect(sniff(bytes("# Title\n"), "application/octet-stream", "readme.md")).toBe(MARKDOWN);
    expect(sniff(bytes("a,b\n"), "text/csv; charset=utf-8")).toBe(CSV);
    expect(sniff(bytes("a,b\n"), "text/plain", "x.csv")).toBe(PLAIN_TEXT);
    expect(sniff(bytes("a;b\n"), "application/vnd.ms-excel", "x.csv")).toBe(CSV);
  });

  it("takes other text as plain text", () => {
    for (const type of [
      "application/json",
      "text/html",
      "application/xml",
      "image/svg+xml; x".replace("image/svg", "application/svg"),
    ]) {
      expect(sniff(bytes('{"a": 1}'), type)).toBe(PLAIN_TEXT);
    }
  });

  it("recognises UTF-16 by its byte order mark and Latin text by its letters", () => {
    expect(sniff(new Uint8Array([0xff, 0xfe, ...Buffer.from("Größe 5\n", "utf16le")]))).toBe(PLAIN_TEXT);
    expect(sniff(latin1("Größe, Maß, Überweisung\n"))).toBe(PLAIN_TEXT);
  });

  it("takes text about PDFs as text when declared so", () => {
    const text = bytes("A PDF begins with %PDF-1.7 and a line of bytes.\n");
    expect(sniff(text, "text/markdown")).toBe(MARKDOWN);
    expect(sniff(text)).toBe(PDF);
  });
});

describe("sniffDocument with declared types", () => {
  it.each(["", "omitted", "application/octet-stream", "APPLICATION/OCTET-STREAM; x=y", "nonsense", undefined])(
    "ignores %s",
    async (declared) => {
      expect(sniff(await image("png"), declared)).toBe(PNG);
    },
  );

  it.each([
    ["image/png", "image/x-png"],
    ["image/jpeg", "IMAGE/JPG"],
    ["image/tiff", "image/tif"],
    ["application/pdf", "application/x-pdf; version=1"],
  ])("keeps %s declared as %s", async (type, alias) => {
    const content = type === PDF ? await textPdf([]) : await image(type.slice(6) as "png" | "jpeg" | "tiff");
    expect(sniff(content, alias)).toBe(type);
  });

  it("accepts an unknown application type, and zip for an office document", () => {
    expect(sniff(docx(wordParagraph("x")), "application/zip")).toBe(DOCX);
    expect(sniff(docx(wordParagraph("x")), "application/x-something")).toBe(DOCX);
  });
});

describe("sniffDocument refuses", () => {
  it("an empty file with 422", () => {
    expect(() => sniff(new Uint8Array())).toThrow(UnprocessableEntity);
  });

  it.each([
    ["a program", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
    ["a program for Windows", new Uint8Array([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0])],
    ["a video", new Uint8Array([0, 0, 0, 0x20, ...bytes("ftypisom"), 0, 0, 2, 0])],
    ["unknown bytes", new Uint8Array(200).map((_, index) => (index * 37) % 256)],
    ["a zip archive", zipSync({ "a.txt": bytes("x") })],
    ["older Office", ole("WordDocument")],
    ["RTF", bytes("{\\rtf1 hello}")],
    ["a GIF", new Uint8Array([...bytes("GIF89a"), 1, 0, 1, 0, 0, 0, 0])],
  ])("%s with 415", (_, content) => {
    expect(() => sniff(content)).toThrow(UnsupportedMediaType);
    expect(() => sniff(content, "application/octet-stream")).toThrow(UnsupportedMediaType);
  });

  it("a PNG declared as a PDF with 415 naming both", async () => {
    const png = await image("png");
    expect(() => sniff(png, "application/pdf")).toThrow(UnsupportedMediaType);
    expect(() => sniff(png, "application/pdf")).toThrow(/image\/png.*application\/pdf/);
  });

  it.each([
    ["text", bytes("hello"), "application/pdf"],
    ["text", bytes("hello"), "image/gif"],
    ["a document", docx(wordParagraph("x")), XLSX],
    ["a document", docx(wordParagraph("x")), "text/plain"],
    ["a document", docx(wordParagraph("x")), "video/mp4"],
  ])("%s declared otherwise with 415: %#", (_, content, declared) => {
    expect(() => sniff(content, declared)).toThrow(UnsupportedMediaType);
    expect(() => sniff(content, declared)).toThrow(declared);
  });

  it("a PDF without its header with 422", async () => {
    const pdf = await textPdf([{ text: "x", x: 50, y: 50 }]);
    expect(() => sniff(pdf.subarray(20), "application/pdf")).toThrow(UnprocessableEntity);
    expect(() => sniff(bytes("1 0 obj\nendobj\nstartxref\n0\n%%EOF"), "application/pdf")).toThrow(UnprocessableEntity);
  });

  it("unknown bytes declared as a supported kind with 422", () => {
    const noise = new Uint8Array(64).map((_, index) => (index * 91) % 256);
    expect(() => sniff(noise, "image/png")).toThrow(UnprocessableEntity);
    expect(() => sniff(noise, DOCX)).toThrow(UnprocessableEntity);
  });
});

describe("sniffDocument on unreadable content", () => {
  it("takes an encrypted office document as declared or named, else .docx", () => {
    const encrypted = ole("EncryptedPackage");
    expect(sniff(encrypted, XLSX)).toBe(XLSX);
    expect(sniff(encrypted, undefined, "deck.pptx")).toBe(PPTX);
    expect(sniff(encrypted)).toBe(DOCX);
  });

  it("takes a package without its main part as declared", () => {
    const { "word/document.xml": _, ...rest } = wordParts("");
    const headless = zipOf({ ...rest, "[Content_Types].xml": "<Types/>" });
    expect(sniff(headless, DOCX)).toBe(DOCX);
    expect(() => sniff(headless)).toThrow(UnsupportedMediaType);
  });
});

describe("resolveMimeType", () => {
  it("chooses among text types", () => {
    expect(resolveMimeType(PLAIN_TEXT, "text/csv")).toBe(CSV);
    expect(resolveMimeType(CSV, "text/plain; charset=latin1")).toBe(PLAIN_TEXT);
    expect(resolveMimeType(MARKDOWN, "application/json")).toBe(PLAIN_TEXT);
    expect(resolveMimeType(CSV, undefined)).toBe(CSV);
    expect(resolveMimeType(PDF, "application/octet-stream")).toBe(PDF);
  });

  it("never changes one kind into another", () => {
    expect(() => resolveMimeType(PDF, "text/plain")).toThrow(/application\/pdf.*text\/plain/);
    expect(() => resolveMimeType(PNG, "image/jpeg")).toThrow(UnsupportedMediaType);
    expect(() => resolveMimeType(PLAIN_TEXT, "application/pdf")).toThrow(UnsupportedMediaType);
  });
});

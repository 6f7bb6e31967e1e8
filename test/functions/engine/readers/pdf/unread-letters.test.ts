/** Letters shown on a page but absent from its text layer, counted on pages with a text layer. */
import {
  degrees,
  PDFDocument,
  PDFNumber,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  rgb,
  StandardFonts,
} from "@cantoo/pdf-lib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { withPdf } from "../../../../../functions/engine/readers/pdf/pdf-document.ts";
import { textLayerEvidence } from "../../../../../functions/engine/readers/pdf/pdf-page-evidence.ts";
import { SeenInk } from "../../../../../functions/engine/readers/pdf/unread-letters.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { TEXTS } from "../../../../support/pages.ts";
import { drawnPdf } from "../../../../support/pdf.ts";
import { picturesOf } from "../../../../support/scans.ts";

const ENGLISH = TEXTS.en ?? "";
const LETTERS = ENGLISH.replaceAll(/\s/g, "").length;
const WORDS = `${ENGLISH} ${ENGLISH}`.split(/\s+/).slice(0, 90).join(" ");

/** Counted on each page of a document. */
const unreadOf = (pdf: Uint8Array): Promise<number[]> =>
  withPdf(pdf, ({ pageCount, withPage }) => {
    const seen = new SeenInk();
    return Array.from({ length: pageCount }, (_, index) =>
      withPage(index, (page) => textLayerEvidence(page, seen).unreadLetters ?? 0),
    );
  });

type Draw = (page: PDFPage, document: PDFDocument) => void | Promise<void>;

/** Letter-size pages with ninety typed words at the foot of each, and further drawings. */
async function typed(...draws: Draw[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const draw of draws) {
    const page = document.addPage([612, 792]);
    await draw(page, document);
    page.drawText(WORDS, { x: 60, y: 120, size: 9, font, maxWidth: 480, lineHeight: 11 });
  }
  return document.save();
}

const picture =
  (png: Uint8Array, x: number, y: number, width: number, height: number): Draw =>
  async (page, document) =>
    page.drawImage(await document.embedPng(png), { x, y, width, height });

/** Simple capitals on a 6 by 8 grid, as polygons. */
const SHAPES = [
  "M0 0H2V8H0Z M2 3H4V5H2Z M4 0H6V8H4Z",
  "M0 0H6V2H4V8H2V2H0Z",
  "M0 0H2V6H6V8H0Z",
  "M0 0H6V2H2V3H5V5H2V6H6V8H0Z",
  "M0 0C8 0 8 5 2 5V8H0Z",
];

let text: Uint8Array;
let grain: Uint8Array;
let dark: Uint8Array;
beforeAll(async () => {
  const lines = await drawnPdf([
    (page, { regular }) =>
      page.drawText(ENGLISH, { x: 40, y: 700, size: 10, font: regular, maxWidth: 520, lineHeight: 13 }),
  ]);
  text = (await picturesOf(lines, 150))[0] ?? new Uint8Array();
  // As grainy as a photo; the same at each run.
  let state = 1;
  const pixels = Uint8Array.from({ length: 500 * 400 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 24;
  });
  grain = await sharp(pixels, { raw: { width: 500, height: 400, channels: 1 } })
    .blur(4)
    .normalise()
    .png()
    .toBuffer();
  dark = await sharp(text).negate({ alpha: false }).png().toBuffer();
});

describe("countUnreadLetters counts letters", () => {
  it("in a scan beneath a typed stamp, even one with many words", async () => {
    const scan = await typed(picture(text, 0, 0, 612, 792));
    const [letters = 0] = await unreadOf(scan);
    expect(letters).toBeGreaterThan(0.7 * LETTERS);
    expect(letters).toBeLessThan(1.3 * LETTERS);
    const read = await readDocument(scan, { mimeType: "application/pdf" });
    expect(read.pending).toEqual([1]);
    expect(read.quality).toMatchObject({ escalate: true, pages: [{ wordCount: 90, escalate: true }] });
    expect(read.quality.score).toBeLessThan(0.7);
    expect(read.quality.pages[0]?.reasons[0]).toMatch(
      /^about \d+ letters in pictures or drawn as shapes are not in its text$/,
    );
  });

  it("in a picture on a page of few words, only when that page gets no OCR anyway", async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([612, 792]);
    await picture(text, 0, 0, 612, 792)(page, document);
    page.drawText("Received 4 May", { x: 60, y: 40, size: 9 });
    const pdf = await document.save();
    const lettersAt = async (ocr: "DEFAULT" | "NONE") => {
      const { pending, quality } = await readDocument(pdf, { mimeType: "application/pdf", ocr });
      return { pending, letters: new Map(quality.evidence.signs).get(1)?.unreadLetters ?? 0 };
    };
    expect(await lettersAt("DEFAULT")).toEqual({ pending: [1], letters: 0 });
    const { pending, letters } = await lettersAt("NONE");
    expect(pending).toEqual([]);
    expect(letters).toBeGreaterThan(LETTERS / 2);
  });

  it("in pictures that lie on their side, and light on dark", async () => {
    const [sideways = 0, negative = 0] = await unreadOf(
      await typed(
        async (page, document) =>
          page.drawImage(await document.embedPng(text), {
            x: 600,
            y: 300,
            width: 400,
            height: 520,
            rotate: degrees(90),
          }),
        picture(dark, 0, 0, 612, 792),
      ),
    );
    expect(sideways).toBeGreaterThan(0.5 * LETTERS);
    expect(negative).toBeGreaterThan(0.5 * LETTERS);
  });

  it("in type drawn as outlines", async () => {
    const outlined: Draw = (page) => {
      for (let at = 0; at < 60; at += 1) {
        const [x, y] = [60 + (at % 20) * 8, 600 - Math.floor(at / 20) * 16];
        page.drawSvgPath(SHAPES[at % SHAPES.length] ?? "", { x, y, color: rgb(0, 0, 0), borderWidth: 0 });
      }
    };
    expect((await unreadOf(await typed(outlined)))[0]).toBeGreaterThan(40);
  });

  it("once for pages that repeat them at the same place, and again for another picture", async () => {
    const head = (png: Uint8Array): Draw => picture(png, 0, 0, 612, 792);
    const [first = 0, second, third = 0] = await unreadOf(await typed(head(text), head(text), head(dark)));
    expect(first).toBeGreaterThan(0.7 * LETTERS);
    expect(second).toBe(0);
    expect(third).toBeGreaterThan(0.5 * LETTERS);
  });
});

describe("countUnreadLetters counts no letters", () => {
  it("in grain, checkboxes, bands of tables, charts", async () => {
    const boxes: Draw = (page) => {
      for (let at = 0; at < 60; at += 1) {
        const [x, y] = [60 + (at % 20) * 20, 600 - Math.floor(at / 20) * 20];
        page.drawRectangle({ x, y, width: 9, height: 9, borderWidth: 0.7 });
      }
    };
    const bands: Draw = (page) => {
      for (let at = 0; at < 40; at += 1)
        page.drawRectangle({ x: 60, y: 300 + at * 10, width: 500, height: 5, color: rgb(0.8, 0.9, 1) });
    };
    const chart: Draw = (page) => {
      for (let at = 0; at < 40; at += 1) {
        page.drawRectangle({
          x: 60 + at * 12,
          y: 300,
          width: 8,
          height: 20 + ((at * 37) % 90),
          color: rgb(0.2, 0.3, 0.7),
        });
      }
    };
    const pdf = await typed(picture(grain, 60, 300, 400, 320), boxes, bands, chart);
    expect((await readDocument(pdf, { mimeType: "application/pdf" })).pending).toEqual([]);
    expect((await unreadOf(pdf)).slice(1)).toEqual([0, 0, 0]);
  });

  it("where the text layer has the picture's text, visible or invisible", async () => {
    const layered =
      (x: number, mode: number): Draw =>
      async (page, document) => {
        const font = await document.embedFont(StandardFonts.Helvetica);
        page.drawImage(await document.embedPng(text), { x: 0, y: 0, width: 612, height: 792 });
        page.pushOperators(PDFOperator.of(PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(mode)]));
        page.drawText(ENGLISH, { x, y: 700, size: 10, font, maxWidth: 520, lineHeight: 13 });
        page.pushOperators(PDFOperator.of(PDFOperatorNames.SetTextRenderingMode, [PDFNumber.of(0)]));
      };
    const [same, unseen] = await unreadOf(await typed(layered(40, 0), layered(44, 3)));
    expect([same, unseen]).toEqual([0, 0]);
  });
});

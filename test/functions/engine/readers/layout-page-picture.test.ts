import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawnPage } from "../../../../functions/engine/imaging/layout-page/drawn-page.ts";
import { pagePdf } from "../../../../functions/engine/imaging/layout-page/page-pdf.ts";
import { layoutPagePicture } from "../../../../functions/engine/readers/layout-page-picture.ts";
import { pagePicture } from "../../../../functions/engine/readers/page-pictures.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import type { Box, Page } from "../../../../functions/ports/layout.ts";
import { DOCX, MARKDOWN, PDF, PPTX, XLSX } from "../../../../functions/ports/media-types.ts";
import { pageWords } from "../../../support/layout.ts";
import { docx, wordParagraph, wordRun, wordTable, xlsx } from "../../../support/office.ts";
import { frame, presentation, shape } from "../../../support/office-parts.ts";

const DPI = 150;
/** Darker than the rules, whose grey is 153, and the grey of missing letters. */
const INK = 100;
/** Letters' edges are shared by the pixels beside them. */
const MARGIN_PIXELS = 1;

/** The picture's shades of grey, by pixel. */
async function shadesOf(png: Uint8Array): Promise<{ at(x: number, y: number): number; width: number; height: number }> {
  const { data, info } = await sharp(png).toColourspace("b-w").raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { width, height, at: (x, y) => data[y * width + x] ?? 255 };
}

/** Words without ink in their boxes, and the number of inked pixels outside all of them. */
async function strayInk(png: Uint8Array, page: Page): Promise<{ empty: string[]; outside: number }> {
  const { at, width, height } = await shadesOf(png);
  const scale = width / page.width;
  const inside = new Uint8Array(width * height);
  const words = pageWords(page);
  const empty = words.filter(({ box }) => {
    let ink = 0;
    const right = Math.min(Math.ceil(box.right * scale) + MARGIN_PIXELS, width);
    const bottom = Math.min(Math.ceil(box.bottom * scale) + MARGIN_PIXELS, height);
    for (let y = Math.max(Math.floor(box.top * scale) - MARGIN_PIXELS, 0); y < bottom; y += 1) {
      for (let x = Math.max(Math.floor(box.left * scale) - MARGIN_PIXELS, 0); x < right; x += 1) {
        inside[y * width + x] = 1;
        if (at(x, y) < INK) ink += 1;
      }
    }
    return ink === 0;
  });
  let outside = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (at(x, y) < INK && inside[y * width + x] !== 1) outside += 1;
  }
  return { empty: empty.map(({ text }) => text), outside };
}

async function firstPage(bytes: Uint8Array, mimeType: string): Promise<Page> {
  const [page] = (await readDocument(bytes, { mimeType })).layout.pages;
  if (page === undefined) throw new Error("The document has no page");
  return page;
}

const SCRIPTS =
  "Größe “jÅgy” {[|]} – Привет договор Ελληνικά Dvořák Łódź שלום العربية 漢字 한국어 हिन्दी ☐ ☒ ✓ &<> \u{1f600}";

const DOCUMENTS: [kind: string, mimeType: string, bytes: Uint8Array][] = [
  [
    "Markdown",
    MARKDOWN,
    Buffer.from(`# A heading\n\n${SCRIPTS}\n\n| Größe | Привет |\n|---|---|\n| gjpqy | Договор |\n`),
  ],
  [
    "Word",
    DOCX,
    docx(
      wordParagraph(
        wordRun("Agreement "),
        wordRun("between", true),
        wordRun(` the parties ${SCRIPTS.replace("&<>", "")}`),
      ),
      wordTable([
        ["Article", "Price"],
        ["Ångström yoke", "12,50 €"],
      ]),
    ),
  ],
  [
    "Excel",
    XLSX,
    xlsx("Sheet", [
      ["Item", "Sum"],
      ["Договор", 12.5],
      ["gjpqy", 7],
    ]),
  ],
  ["PowerPoint", PPTX, presentation([{ shapes: shape({ at: frame(1, 1, 6, 2), text: "Quarterly figures Договор" }) }])],
];

describe("layoutPagePicture", () => {
  it.each(DOCUMENTS)("draws each word into its box, and no ink elsewhere: %s", async (_, mimeType, bytes) => {
    const page = await firstPage(bytes, mimeType);
    expect(pageWords(page).length).toBeGreaterThan(2);
    const { bytes: png, frame } = await layoutPagePicture(page, DPI);
    expect(frame).toEqual({ width: page.width, height: page.height });
    expect(await sharp(png).metadata()).toMatchObject({
      format: "png",
      width: Math.round(page.width * DPI),
      height: Math.round(page.height * DPI),
    });
    expect(await strayInk(png, page)).toEqual({ empty: [], outside: 0 });
  });

  it("draws rules around the cells of tables", async () => {
    const page = await firstPage(Buffer.from("| a | b |\n|---|---|\n| c | d |\n"), MARKDOWN);
    const [table] = page.blocks;
    if (table?.kind !== "table") throw new Error("The layout has no table");
    const { at } = await shadesOf((await layoutPagePicture(page, DPI)).bytes);
    for (const { box } of table.cells) {
      const y = Math.round(((box.top + box.bottom) / 2) * DPI);
      const near = [-1, 0, 1].map((step) => at(Math.round(box.right * DPI) + step, y));
      expect(Math.min(...near)).toBeLessThan(220);
    }
  });

  it("draws a page that is larger than any PDF's smaller, with its own frame", async () => {
    const box: Box = { left: 290, top: 1, right: 299, bottom: 2 };
    const words = [{ text: "far", box }];
    const blocks: Page["blocks"] = [{ kind: "paragraph", box, lines: [{ box, words }] }];
    const page: Page = { number: 1, width: 300, height: 10, unit: "inch", rotation: 0, blocks };
    const { bytes, frame } = await layoutPagePicture(page, DPI);
    const { width } = await sharp(bytes).metadata();
    expect([frame.width, width]).toEqual([300, 20_000]);
    expect(await strayInk(bytes, page)).toEqual({ empty: [], outside: 0 });
  });
});

describe("pagePdf", () => {
  const box: Box = { left: 1, top: 1, right: 2, bottom: 1.2 };
  const drawnFrom = async (text: string) => {
    const blocks: Page["blocks"] = [{ kind: "paragraph", box, lines: [{ box, words: [{ text, box }] }] }];
    const page: Page = { number: 1, width: 3, height: 2, unit: "inch", rotation: 0, blocks };
    const { bytes } = await pagePdf(drawnPage(page), "letters");
    return (await pagePicture(bytes, PDF, 0, { dpi: DPI, format: "png" })).bytes;
  };
  const GREY = 217;
  const greyShare = async (text: string): Promise<number> => {
    const { at } = await shadesOf(await drawnFrom(text));
    let grey = 0;
    for (let y = 0; y < 2 * DPI; y += 1) for (let x = 0; x < 3 * DPI; x += 1) if (at(x, y) === GREY) grey += 1;
    return grey / (DPI * 0.2 * DPI);
  };

  it("writes letters that the standard fonts lack as a grey box, where no other font is used", async () => {
    expect(await greyShare("Договор")).toBeGreaterThan(0.3);
    expect(await greyShare("Łódź")).toBeLessThan(0.2);
    expect(await greyShare("Dvořák")).toBeLessThan(0.01);
  });

  it("writes checkboxes as boxes, ticked ones with a cross", async () => {
    expect(Math.max(await greyShare("☐"), await greyShare("☒"))).toBeLessThan(0.01);
    expect(await drawnFrom("☐")).not.toEqual(await drawnFrom("☒"));
  });
});

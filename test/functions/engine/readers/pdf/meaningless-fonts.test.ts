/** Fonts whose characters mean nothing: their text is recognised, and is not passed on. */
import { describe, expect, it } from "vitest";
import { completeDocument } from "../../../../../functions/engine/readers/complete-document.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { OcrMode } from "../../../../../functions/ports/ocr.ts";
import { lineTexts } from "../../../../support/layout.ts";
import { type MappedFont, mappedFontsPdf } from "../../../../support/mapped-fonts-pdf.ts";
import { ocrPage, pageOf, paragraph } from "../../../../support/pages.ts";

const LINES = [
  "The tenant pays the rent on the first working day of each month",
  "and returns the apartment in the condition in which it was received",
  "when the contract ends or the landlord has given written notice",
];
const same = (character: string): string => character;

/** Exchanges letters within their case, as a substitution cipher does. */
const exchanged = (character: string): string =>
  character
    .replaceAll(/[a-z]/g, (one) => "qwzxjkvbpygfcmuhsdtlrnioea"[one.charCodeAt(0) - 97] ?? one)
    .replaceAll(/[A-Z]/g, (one) => "QWZXJKVBPYGFCMUHSDTLRNIOEA"[one.charCodeAt(0) - 65] ?? one);
const isSpace = (character: string): boolean => character === " ";
/** Codes of a subset, counted from its first glyph. */
const byGlyphNumber = (character: string): string => String.fromCharCode(character.charCodeAt(0) - 29);

const FONTS: [string, Partial<MappedFont>][] = [
  ["has glyph names without a meaning and no map", { glyphName: (code) => `g${code}` }],
  ["draws its glyphs itself, under such names", { glyphName: (code) => `g${code}`, drawn: true }],
  [
    "is mapped to private characters",
    { map: (one) => (isSpace(one) ? one : String.fromCharCode(0xe000 + one.charCodeAt(0))) },
  ],
  ["is mapped to control characters", { map: (one) => (isSpace(one) ? one : "\u0001") }],
  ["is mapped to replacement characters", { map: (one) => (isSpace(one) ? one : "\ufffd") }],
  ["is mapped to one letter", { map: (one) => (isSpace(one) ? one : "a") }],
  ["exchanges letters", { map: exchanged }],
  ["is mapped to the numbers of its glyphs", { map: (one) => (isSpace(one) ? one : byGlyphNumber(one)) }],
];

const readWith = async (fonts: MappedFont[], ocr: OcrMode = "DEFAULT") =>
  readDocument(await mappedFontsPdf(fonts), { mimeType: "application/pdf", ocr, mayBeEmpty: true });

describe("a page whose font", () => {
  it.each(FONTS)("%s is recognised", async (_name, font) => {
    const fonts = [{ lines: LINES, ...font }];
    expect((await readWith(fonts)).pending).toEqual([1]);
    expect((await readWith(fonts, "AUTO")).pending).toEqual([1]);
  });

  it.each(FONTS)("%s, beside another that is in order, has those lines recognised", async (_name, font) => {
    const read = await readWith([
      { lines: LINES, map: same },
      { lines: LINES, ...font },
    ]);
    expect(read.pending).toEqual([1]);
    const [signs] = read.quality.evidence.signs;
    const garbled = signs?.[1].garbled ?? [];
    expect(garbled.length).toBeGreaterThan(0);
    // The third good line stands 2.06 inches below the top.
    expect(Math.min(...garbled.map(({ top }) => top))).toBeGreaterThan(2.1);
  });

  it.each(FONTS)("%s is named where no recognition is wanted", async (_name, font) => {
    const { pending, quality } = await readWith(
      [
        { lines: LINES, map: same },
        { lines: LINES, ...font },
      ],
      "NONE",
    );
    expect(pending).toEqual([]);
    expect(quality.warnings).toEqual([
      "Characters on page 1 have no meaning, as their font does not say what they are; text recognition reads them",
    ]);
  });

  it.each([
    ["is in order", { map: same }],
    ["has standard names and no map", {}],
    [
      "has a bullet, an icon and abbreviations",
      { lines: ["* IBAN DE89 3704 0044 0532 0130 00", "BIC COBADEFFXXX, Qty 12 x 4 kg"] },
    ],
    [
      "shows codes",
      { lines: ["SKU-00X7-QZ 4711-AB KJH-22", "7c9e6679-7425-40de-944b-e07fc1f90ae7", "W3Z-99-QK 881-XX"] },
    ],
  ] as [string, Partial<MappedFont>][])("%s is not recognised", async (_name, font) => {
    const { pending, quality } = await readWith([
      { lines: LINES, map: same },
      { lines: LINES, ...font },
    ]);
    expect(pending).toEqual([]);
    expect(quality.pages[0]?.grade).toBe("good");
  });

  it("exchanges letters gets the recognised words in place of its own", async () => {
    const read = await readWith([
      { lines: LINES, map: same },
      { lines: LINES, map: exchanged },
    ]);
    const lines = read.layout.pages[0]?.blocks.flatMap((block) => (block.kind === "table" ? [] : block.lines)) ?? [];
    const recognised = lines.map(({ box, words }, index) => {
      const texts = (LINES[index % LINES.length] ?? "").split(" ");
      return paragraph({
        box,
        words: words.map((word, at) => ({ ...word, text: texts[at] ?? "", confidence: 0.95 })),
      });
    });
    const done = completeDocument(read, {
      pages: [ocrPage(pageOf(recognised))],
      engine: "tesseract",
      level: "DEFAULT",
      ocr: "DEFAULT",
      unread: [],
    });
    expect(lineTexts(done.layout.pages[0])).toEqual([...LINES, ...LINES]);
    expect(done.quality).toMatchObject({ category: "Very Confident", escalate: false });
  });
});

describe("an exclamation mark", () => {
  const glyphName = (code: number): string => (code === 0x21 ? "exclam" : `g${code}`);
  const map = (character: string): string => character;
  const textWith = async (blanks: string[]): Promise<string[]> => {
    const read = await readWith([{ lines: ["Price!list!"], map, glyphName, drawn: true, blanks }]);
    return lineTexts(read.layout.pages[0]);
  };

  it("is text where it is drawn, and white space where its glyph is blank", async () => {
    expect(await textWith([])).toEqual(["Price!list!"]);
    expect(await textWith(["exclam"])).toEqual(["Price list"]);
  });
});

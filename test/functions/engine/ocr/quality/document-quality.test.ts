import { describe, expect, it } from "vitest";
import { judgeDocument } from "../../../../../functions/engine/ocr/quality/document-quality.ts";
import { LAYOUT_VERSION, type Layout, type Page } from "../../../../../functions/ports/layout.ts";
import { pageOf, shiftLetters, TEXTS, textPage } from "../../../../support/pages.ts";

const ENGLISH = TEXTS.en ?? "";
const WORDS = ENGLISH.split(/\s+/).length;
const layoutOf = (...pages: Page[]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "pdf-text+tesseract",
  logicalPages: false,
  pageCount: pages.length,
  pages,
});
const modes = { requestedOcrMode: "AUTO", effectiveOcrMode: "DEFAULT" } as const;

describe("judgeDocument", () => {
  it("answers in the shape of the API, and judges pages by the source of their words", () => {
    const layout = layoutOf(textPage(ENGLISH), textPage(ENGLISH, { source: "ocr", confidence: 0.8 }, 2));
    const report = judgeDocument({ layout, ...modes, warnings: ["Page 3 was not read."] });
    expect(Object.keys(report)).toEqual([
      "version",
      "provider",
      "requestedOcrMode",
      "effectiveOcrMode",
      "escalatedToPremium",
      "warnings",
      "qualityScore",
      "qualityCategory",
      "wordCount",
      "confidenceDetails",
      "rationale",
      "category",
      "score",
      "escalate",
      "pages",
    ]);
    expect(report).toMatchObject({
      version: 1,
      provider: "pdf-text+tesseract",
      requestedOcrMode: "AUTO",
      effectiveOcrMode: "DEFAULT",
      escalatedToPremium: false,
      warnings: ["Page 3 was not read."],
      qualityScore: 0.9,
      qualityCategory: "Very Confident",
      score: 0.9,
      category: "Very Confident",
      wordCount: 2 * WORDS,
      confidenceDetails: { meanTrimmed: 0.9, highConfidenceRatio: 0.5, midConfidenceRatio: 0.5, lowConfidenceRatio: 0 },
      escalate: false,
      rationale: `The text is good: ${2 * WORDS} words from the text layer of 1 page and the recognition of 1 page.`,
    });
    expect(report.pages.map(({ source, score }) => [source, score])).toEqual([
      ["text", 1],
      ["ocr", 0.8],
    ]);
  });

  it("names pages that are not good, in one sentence, and asks for more care", () => {
    const bad = (number: number) => textPage(shiftLetters(ENGLISH, 9), { source: "ocr", confidence: 0.9 }, number);
    const report = judgeDocument({ layout: layoutOf(textPage(ENGLISH), bad(2), pageOf([], 3), bad(4)), ...modes });
    expect(report.escalate).toBe(true);
    expect(report.rationale).toMatch(
      /^The text is poor: \d+ words from .+; poor on pages 2 and 4, empty on page 3 \(page 2: its letters do not stand as in words of a language\)\.$/,
    );
    expect(report.rationale.match(/\.\s/)).toBeNull();
  });

  it("weighs pages by their words and leaves empty ones out", () => {
    const poor = textPage("Total 12.00", { source: "ocr", confidence: 0 }, 2);
    const report = judgeDocument({ layout: layoutOf(textPage(ENGLISH), poor, pageOf([], 3)), ...modes });
    expect(report.score).toBeCloseTo(WORDS / (WORDS + 20), 2);
    expect(report.pages[2]).toMatchObject({ grade: "empty", escalate: false });
  });

  it("counts the signs that the reader and the engine saw", () => {
    const layout = layoutOf(pageOf([], 1), textPage(ENGLISH, {}, 2));
    const signs = new Map([
      [2, { pictureCover: 0, hiddenShare: 0, unmappedShare: 0.9, largestPicture: 0, drawn: true }],
    ]);
    const report = judgeDocument({
      layout,
      ...modes,
      signs,
      strayInk: new Map([
        [1, 1],
        [2, 1],
      ]),
    });
    expect(report.pages).toMatchObject([
      { source: "ocr", grade: "empty", escalate: true },
      { source: "text", grade: "poor", escalate: true },
    ]);
  });

  it("reports a document without words", () => {
    expect(judgeDocument({ layout: layoutOf(pageOf([])), ...modes })).toMatchObject({
      category: "Many Problems",
      score: 0,
      wordCount: 0,
      confidenceDetails: { meanTrimmed: 0, lowConfidenceRatio: 0 },
      rationale: "None of the 1 page has words.",
      escalate: false,
    });
  });
});

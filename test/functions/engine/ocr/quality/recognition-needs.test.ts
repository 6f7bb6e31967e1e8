import { describe, expect, it } from "vitest";
import type { TextLayerEvidence } from "../../../../../functions/engine/ocr/quality/page-evidence.ts";
import { needsOcr } from "../../../../../functions/engine/ocr/quality/recognition-needs.ts";
import type { Block, Page } from "../../../../../functions/ports/layout.ts";
import type { OcrMode } from "../../../../../functions/ports/ocr.ts";
import {
  asGlyphNumbers,
  asPrivateUse,
  OTHER_TEXTS,
  pageOf,
  shiftLetters,
  TEXTS,
  textPage,
} from "../../../../support/pages.ts";

const ENGLISH = TEXTS.en ?? "";
const words = (count: number): Page => textPage(`${ENGLISH} ${ENGLISH}`.split(/\s+/).slice(0, count).join(" "));
const signs = (more: Partial<TextLayerEvidence> = {}): TextLayerEvidence => ({
  pictureCover: 0,
  hiddenShare: 0,
  unmappedShare: 0,
  largestPicture: 0,
  drawn: true,
  ...more,
});
const SCAN = signs({ pictureCover: 1 });
const needed = (page: Page, of: TextLayerEvidence | undefined, mode: OcrMode = "DEFAULT") =>
  needsOcr(page, of, mode).needed;

describe("needsOcr: recognition is needed", () => {
  it("where there is a picture or drawing and no word", () => {
    expect(needsOcr(pageOf([]), SCAN, "DEFAULT")).toEqual({ needed: true, reason: "it has no text layer" });
    expect(needed(pageOf([]), signs())).toBe(true);
    expect(needed(pageOf([]), undefined)).toBe(true);
  });

  it("where a scan has a stamp", () => {
    expect(needsOcr(words(12), SCAN, "DEFAULT")).toEqual({
      needed: true,
      reason: "it has 12 words only, and a picture over 100 % of the page",
    });
    expect(needed(words(12), signs({ pictureCover: 0.5 }))).toBe(true);
    const comments = words(100).blocks.map(
      (block): Block => (block.kind === "paragraph" ? { ...block, kind: "note" } : block),
    );
    expect(needed(pageOf([...comments, ...words(12).blocks]), SCAN)).toBe(true);
    expect(needed(pageOf(comments), SCAN)).toBe(true);
  });

  it("where letters stand in pictures or as outlines only, however much text there is", () => {
    const hiding = signs({ pictureCover: 0.1, unreadLetters: 30 });
    expect(needsOcr(words(90), hiding, "DEFAULT")).toEqual({
      needed: true,
      reason: "about 30 letters on it are not in its text",
    });
    expect(needed(words(90), hiding, "NONE")).toBe(false);
    expect(needed(words(90), signs({ pictureCover: 0.1, unreadLetters: 29 }))).toBe(false);
    expect(needed(words(90), { ...hiding, looked: true })).toBe(false);
  });

  it.each([
    ["shifted letters", shiftLetters(ENGLISH, 5)],
    ["glyph numbers", asGlyphNumbers(ENGLISH)],
    ["private characters", asPrivateUse(ENGLISH)],
    ["replacements", ENGLISH.replaceAll(/[a-z]/g, "\ufffd")],
  ])("where the encoding is garbage: %s", (_name, text) => {
    expect(needed(textPage(text), signs())).toBe(true);
    expect(needed(textPage(text), undefined)).toBe(true);
    expect(needsOcr(textPage(text), signs(), "LOW").reason).toMatch(/^its text layer is garbled: /);
  });

  it("where characters could not be decoded", () => {
    expect(needed(words(60), signs({ unmappedShare: 0.5 }))).toBe(true);
  });

  it("where a hidden layer is bad", () => {
    const hidden = signs({ pictureCover: 1, hiddenShare: 1 });
    expect(needed(textPage(shiftLetters(ENGLISH, 11)), hidden)).toBe(true);
    const doubtful = textPage(`${ENGLISH} ${shiftLetters(ENGLISH.slice(0, 150), 11)}`);
    expect(needed(doubtful, hidden, "DEFAULT")).toBe(false);
    expect(needsOcr(doubtful, hidden, "AUTO")).toMatchObject({ needed: true, reason: /hidden text/ });
    expect(needed(doubtful, signs({ pictureCover: 1 }), "AUTO")).toBe(false);
  });

  it("on every page that is drawn on, for PREMIUM", () => {
    expect(needed(words(60), signs(), "PREMIUM")).toBe(true);
    expect(needed(pageOf([]), signs({ drawn: false }), "PREMIUM")).toBe(false);
  });
});

describe("needsOcr: recognition is not needed", () => {
  it("where there is text, also in other languages, over a letterhead, beside illustrations", () => {
    for (const [language, text] of Object.entries({ ...TEXTS, ...OTHER_TEXTS })) {
      expect(needed(textPage(text), signs(), "AUTO"), language).toBe(false);
    }
    expect(needed(words(62), SCAN)).toBe(false);
    expect(needed(words(12), signs({ pictureCover: 0.15 }))).toBe(false);
    expect(needed(words(12), signs())).toBe(false);
    expect(needsOcr(words(12), undefined, "DEFAULT")).toEqual({ needed: false, reason: "it has a text layer" });
  });

  it("where a hidden layer is good", () => {
    expect(needed(words(62), signs({ pictureCover: 1, hiddenShare: 1 }), "AUTO")).toBe(false);
  });

  it("on blank pages, and never for NONE", () => {
    for (const mode of ["LOW", "DEFAULT", "AUTO", "PREMIUM"] as const) {
      expect(needed(pageOf([]), signs({ drawn: false }), mode)).toBe(false);
    }
    expect(needsOcr(pageOf([]), SCAN, "NONE")).toEqual({ needed: false, reason: "only text layers were asked for" });
  });
});

import { describe, expect, it } from "vitest";
import type { TextLayerEvidence } from "../../../../../functions/engine/ocr/quality/page-evidence.ts";
import { categoryOf, judgePage } from "../../../../../functions/engine/ocr/quality/page-quality.ts";
import { confidenceOf } from "../../../../../functions/engine/ocr/quality/word-confidence.ts";
import {
  asPrivateUse,
  type lineAt,
  pageOf,
  paragraph,
  shiftLetters,
  TEXTS,
  textPage,
} from "../../../../support/pages.ts";

const ENGLISH = TEXTS.en ?? "";
const recognised = (text: string, confidence: number) => textPage(text, { source: "ocr", confidence });

describe("the quality of a text layer", () => {
  it("is good when it is text", () => {
    expect(judgePage({ page: textPage(ENGLISH, {}, 4), source: "text" })).toEqual({
      pageNumber: 4,
      source: "text",
      category: "Very Confident",
      grade: "good",
      score: 1,
      escalate: false,
      reasons: [],
      wordCount: ENGLISH.split(/\s+/).length,
      confidence: { meanTrimmed: 1, highConfidenceRatio: 1, midConfidenceRatio: 0, lowConfidenceRatio: 0 },
    });
  });

  it("is poor when its characters mean nothing, and names that reason", () => {
    const quality = judgePage({ page: textPage(asPrivateUse(ENGLISH)), source: "text" });
    expect(quality).toMatchObject({ grade: "poor", score: 0, escalate: true });
    expect(quality.reasons[0]).toMatch(/^\d+ % of the characters have no meaning$/);
    const replaced = ENGLISH.replaceAll(/[aeiou]/g, "\ufffd");
    expect(judgePage({ page: textPage(replaced), source: "text" }).grade).toBe("poor");
    const bullets = ENGLISH.split(" ").map((word, index) => (index % 12 === 0 ? `\uf0b7 ${word}` : word));
    expect(judgePage({ page: textPage(bullets.join(" ")), source: "text" }).grade).toBe("good");
  });

  it("is poor when the reader had to leave characters out", () => {
    const signs = { pictureCover: 0, hiddenShare: 0, unmappedShare: 0.4, largestPicture: 0, drawn: true };
    expect(judgePage({ page: textPage(ENGLISH), source: "text", signs })).toMatchObject({ grade: "poor", score: 0 });
    // Letters that the layer lacked say nothing of recognised text.
    expect(judgePage({ page: recognised(ENGLISH, 0.95), source: "ocr", signs }).grade).toBe("good");
  });

  it("is the share of the letters that it has, until recognition has read the others", () => {
    const page = textPage(ENGLISH);
    const letters = ENGLISH.replaceAll(/\s/g, "").length;
    const signs = { pictureCover: 1, hiddenShare: 0, unmappedShare: 0, largestPicture: 0, drawn: true };
    const judge = (more: Partial<TextLayerEvidence>) =>
      judgePage({ page, source: "text", signs: { ...signs, ...more } });
    expect(judge({ unreadLetters: letters })).toMatchObject({
      score: 0.5,
      category: "Likely Handwriting Problems",
      escalate: true,
      reasons: [`about ${letters} letters in pictures or drawn as shapes are not in its text`],
    });
    expect(judge({ unreadLetters: 3 * letters })).toMatchObject({
      score: 0.25,
      grade: "poor",
      category: "Many Problems",
    });
    expect(judge({ unreadLetters: 40 })).toMatchObject({ grade: "good", escalate: true });
    expect(judge({ unreadLetters: 29 })).toMatchObject({ score: 1, escalate: false });
    expect(judge({ unreadLetters: letters, looked: true })).toMatchObject({ score: 0.85, escalate: false });
  });

  it("is poor when its letters are others", () => {
    const quality = judgePage({ page: textPage(shiftLetters(ENGLISH, 3)), source: "text" });
    expect(quality).toMatchObject({ grade: "poor", escalate: true });
    expect(quality.reasons).toEqual(["its letters do not stand as in words of a language"]);
  });
});

describe("the quality of recognised text", () => {
  it("follows its confidence", () => {
    const judged = [0.96, 0.7, 0.4].map((confidence) =>
      judgePage({ page: recognised(ENGLISH, confidence), source: "ocr" }),
    );
    expect(judged.map(({ grade }) => grade)).toEqual(["good", "fair", "poor"]);
    expect(judged.map(({ escalate }) => escalate)).toEqual([false, false, true]);
    expect(judged[2]?.reasons).toEqual(["its words were recognised with a confidence of 0.40 on average"]);
  });

  it("escalates when fair with many doubtful words", () => {
    const lines = [0.95, 0.5].flatMap((confidence) =>
      (recognised(ENGLISH, confidence).blocks[0] as { lines: ReturnType<typeof lineAt>[] }).lines.slice(0, 4),
    );
    expect(judgePage({ page: pageOf([paragraph(...lines)]), source: "ocr" })).toMatchObject({
      grade: "fair",
      escalate: true,
      confidence: { lowConfidenceRatio: 0.5 },
    });
  });

  it("is worse for ink in no word, but never bad for that alone", () => {
    const page = recognised(ENGLISH, 1);
    const score = (strayInk: number) => judgePage({ page, source: "ocr", strayInk }).score;
    expect(score(0.2)).toBe(1);
    expect(score(0.65)).toBe(0.85);
    expect(score(1)).toBe(0.7);
    expect(judgePage({ page, source: "ocr", strayInk: 1 }).reasons).toEqual(["100 % of the ink is in no word"]);
  });

  it("is poor when sure of nonsense", () => {
    expect(judgePage({ page: recognised(shiftLetters(ENGLISH, 7), 0.95), source: "ocr" }).grade).toBe("poor");
  });
});

describe("the quality of an empty page", () => {
  const empty = pageOf([]);
  it("escalates when it was recognised and its ink is left over", () => {
    expect(judgePage({ page: empty, source: "ocr", strayInk: 1 })).toMatchObject({ grade: "empty", escalate: true });
    expect(judgePage({ page: empty, source: "ocr", strayInk: 0 })).toMatchObject({
      category: "Many Problems",
      grade: "empty",
      score: 0,
      escalate: false,
      wordCount: 0,
      confidence: null,
      reasons: ["it has no words"],
    });
    expect(judgePage({ page: empty, source: "text" }).escalate).toBe(false);
  });
});

describe("categoryOf", () => {
  it("depends on the score alone, bounds included", () => {
    expect([1, 0.85, 0.849, 0.7, 0.699, 0.4, 0.399, 0].map(categoryOf)).toEqual([
      "Very Confident",
      "Very Confident",
      "Confident",
      "Confident",
      "Likely Handwriting Problems",
      "Likely Handwriting Problems",
      "Many Problems",
      "Many Problems",
    ]);
    const judged = [0.96, 0.75, 0.5, 0.3].map((confidence) =>
      judgePage({ page: recognised(ENGLISH, confidence), source: "ocr" }),
    );
    for (const { category, score } of judged) expect(category).toBe(categoryOf(score));
    expect(new Set(judged.map(({ category }) => category)).size).toBe(4);
  });
});

describe("confidenceOf", () => {
  const words = (...confidences: (number | undefined)[]) =>
    confidences.map((confidence) => (confidence === undefined ? {} : { confidence }));

  it("returns a mean without a tenth at either end, and shares", () => {
    expect(confidenceOf(words(0.01, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 1))).toEqual({
      meanTrimmed: 0.8,
      highConfidenceRatio: 0.1,
      midConfidenceRatio: 0.8,
      lowConfidenceRatio: 0.1,
    });
    expect(confidenceOf(words(0.5, 1))?.meanTrimmed).toBe(0.75);
    expect(confidenceOf(words(undefined, 0.9))).toMatchObject({ meanTrimmed: 0.95, highConfidenceRatio: 1 });
    expect(confidenceOf([])).toBeNull();
  });
});

describe("unread ink of a recognised page", () => {
  const page = recognised(ENGLISH, 0.95);
  const judge = (unread: number) => judgePage({ page, source: "ocr", textInk: { read: 1000 - unread, unread } });

  it("does not count up to the usual share, nor where it is little", () => {
    const { score } = judgePage({ page, source: "ocr" });
    expect(judge(140)).toMatchObject({ score, grade: "good", reasons: [] });
    const small = judgePage({ page, source: "ocr", textInk: { read: 20, unread: 60 } });
    expect(small).toMatchObject({ score, grade: "good" });
  });

  it("lowers the score to the share that was read, says so, and asks for a second look", () => {
    const half = judge(500);
    expect(half).toMatchObject({ grade: "fair", escalate: true });
    expect(half.reasons).toEqual(["50 % of what looks like text on it was not recognised"]);
    expect(judge(900).grade).toBe("poor");
  });

  it("says nothing of a text layer", () => {
    const textInk = { read: 10, unread: 900 };
    expect(judgePage({ page: textPage(ENGLISH), source: "text", textInk }).grade).toBe("good");
  });
});

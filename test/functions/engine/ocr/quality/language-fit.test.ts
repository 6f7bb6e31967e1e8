import { describe, expect, it } from "vitest";
import { judgeLanguage, reachesKnownShare } from "../../../../../functions/engine/ocr/quality/language-fit.ts";
import { asGlyphNumbers, OTHER_TEXTS, shiftLetters, TEXTS } from "../../../../support/pages.ts";

const judge = (text: string) => judgeLanguage(text.split(/\s+/));

describe("judgeLanguage, for languages", () => {
  it.each(Object.keys(TEXTS))("recognises %s, by its words too", (language) => {
    const { score, known } = judge(TEXTS[language] ?? "");
    expect(score).toBeGreaterThan(0.95);
    expect(known).toBeGreaterThan(0.3);
  });

  it.each(Object.keys(OTHER_TEXTS))("accepts %s", (language) => {
    expect(judge(OTHER_TEXTS[language] ?? "").score).toBeGreaterThan(0.6);
  });

  it("accepts capitals, camel case, hyphens and apostrophes", () => {
    for (const text of [
      (TEXTS.en ?? "").toUpperCase(),
      "JavaScript PayPal McDonald GmbH eCommerce YouTube OpenOffice LibreOffice WordPress PowerPoint SharePoint",
      "vice-president's state-of-the-art l'entreprise aujourd'hui d'une Geschäftsführer-Vertrag and/or he/she follow-up",
    ]) {
      expect(judge(text).score, text).toBeGreaterThan(0.9);
    }
  });
});

describe("judgeLanguage, for scripts without spaces", () => {
  it("accepts sentences with their own commas and brackets, and formulas in Latin letters between them", () => {
    const text =
      "车道数与大型车比例不同时，其指标按下表中的系数进行调整。（公顷/处）路段交通量Q（pcu/d）小于30000；其他条件相同时，不作调整。".repeat(
        4,
      );
    expect(judge(text).score).toBeGreaterThan(0.9);
  });
});

describe("judgeLanguage, for garbled text", () => {
  it.each(Object.keys(TEXTS))("rejects every shift of the alphabet of %s", (language) => {
    for (let by = 1; by < 26; by += 1) {
      expect(judge(shiftLetters(TEXTS[language] ?? "", by)).score, `by ${by}`).toBeLessThan(0.5);
    }
  });

  it("rejects part of a text, by its share", () => {
    const text = TEXTS.en ?? "";
    const { score } = judge(`${text} ${shiftLetters(text, 4)} ${text} ${text}`);
    expect(score).toBeGreaterThan(0.7);
    expect(score).toBeLessThan(0.8);
    expect(judge(`${shiftLetters(text, 4)} ${text} ${shiftLetters(text, 4)}`).score).toBeLessThan(0.4);
  });

  it("rejects glyph numbers, random letters, noise of a bad recognition", () => {
    expect(judge(asGlyphNumbers(TEXTS.en ?? "")).score).toBeLessThan(0.2);
    expect(
      judge("xqzt vkwpj hgfrtk bnmwq lkjhg zxcvb qwrtp mnbvc sdfgh jklpt wrtzp kdfgh vbnmc xzlkj").score,
    ).toBeLessThan(0.2);
    const noise =
      "|ll!i rn}m i1lI{ ]Il|1 c~o» l;t%h e§r~n lIl!|i r0m«a f&%ax zz~;q tl|1t o0cl| vv~rn mm{]n ii|lt rrr|n";
    expect(judge(noise).score).toBeLessThan(0.3);
    expect(
      judge("llllllll aaaaaaah iiiiiiiii tttttt eeeeeeee ssssssss nnnnnnn ooooooo uuuuuu rrrrrrr").score,
    ).toBeLessThan(0.2);
    expect(
      judge("inv0ice am0unt t0tal paym3nt ch4rge bal4nce rec3ipt numb3r cust0mer del1very cond1tion").score,
    ).toBeLessThan(0.2);
    expect(judge("pаymеnt invоice аmоunt сustоmer rеceipt bаlance dеlivery nоtice numbеr аccоunt").score).toBeLessThan(
      0.2,
    );
  });
});

describe("judgeLanguage, for text that says nothing", () => {
  it("ignores numbers, codes, abbreviations, addresses and marks", () => {
    const neutral =
      "1,234.56 2024-03-05 INV-2024-0815 DE89370400440532013000 A4 10kg 2nd GmbH HRB VAT EUR € --- ..... • x info@example.com https://example.com/a/b www.xkcd.qq USt-IdNr.";
    const { score } = judge(neutral);
    expect(score).toBeGreaterThan(0.8);
    expect(judge("12 345 INV-77 EUR").letters).toBe(0);
    expect(judge("")).toEqual({ score: 1, letters: 0, known: 0 });
  });

  it("doubts a few strange letters little, many much", () => {
    expect(judge("Xqzt").score).toBeGreaterThan(0.9);
    expect(judge("Xqzt vkwpj hgfrtk bnmwq").score).toBeLessThan(0.8);
    expect(judge(`${TEXTS.en} Xqzt vkwpj hgfrtk bnmwq lkjhg`).score).toBeGreaterThan(0.8);
  });
});

describe("reachesKnownShare", () => {
  const texts = [...Object.values(TEXTS), ...Object.values(OTHER_TEXTS)];
  const samples = [...texts, ...texts.map((text) => shiftLetters(text, 7)), "", "12 34", "\u0958\u0959 \u0344"];

  it("promises a share only where the whole text has it", () => {
    for (const text of samples) {
      const words = text.split(/\s+/);
      for (const share of [0.05, 0.1, 0.4, 0.9]) {
        const { letters, known } = judgeLanguage(words);
        if (letters > 0 && reachesKnownShare(words, share))
          expect(known, text.slice(0, 40)).toBeGreaterThanOrEqual(share);
      }
    }
  });

  it("knows a text in a language of the lexicon, and none with its letters exchanged", () => {
    expect(reachesKnownShare((TEXTS.en ?? "").split(/\s+/), 0.1)).toBe(true);
    expect(reachesKnownShare(shiftLetters(TEXTS.en ?? "", 7).split(/\s+/), 0.1)).toBe(false);
  });
});

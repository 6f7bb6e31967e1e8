import { describe, expect, it } from "vitest";
import { type Prices, quoteOf, type WorkSizes } from "../../../../functions/service/billing/quote.ts";
import { MILLIONTHS } from "../../../../functions/service/billing/rate.ts";
import { randomFrom } from "../../../support/ledger-schedules.ts";

const PRICES: Prices = { tier: MILLIONTHS, page: 1_000, tierName: "DEFAULT", ocr: "textract" };
const SIZES: WorkSizes = {
  recognised: { expected: 2, most: 6 },
  requests: 1,
  prompts: 1_000,
  looks: 0,
  answers: 200,
  content: 500,
  unread: { expected: 0, most: 0 },
};

describe("a quote", () => {
  it("has a line for each kind of work, and their sum", () => {
    const { tokens, upperBound, lines } = quoteOf(SIZES, PRICES);
    expect(lines).toEqual([
      { what: "model, tier DEFAULT", unit: "token", quantity: 940, tokens: 940 },
      { what: "text recognition, textract", unit: "page", quantity: 2, tokens: 2_000 },
    ]);
    expect(tokens).toBe(2_940);
    expect(upperBound).toBe(2_600 + 6_000);
  });

  it("expects the requests around the first round, which the bound has in its second", () => {
    const { tokens, upperBound } = quoteOf(SIZES, PRICES);
    const looked = quoteOf({ ...SIZES, looks: 500 }, PRICES);
    expect([looked.tokens, looked.upperBound]).toEqual([tokens + 400, upperBound]);
  });

  it("costs what the tier costs, rounded up", () => {
    const { lines } = quoteOf(SIZES, { ...PRICES, tier: 333_334 });
    expect(lines[0]).toMatchObject({ quantity: 940, tokens: 314 });
  });

  it("is 0 without a model and with free recognition, and names the pages", () => {
    const { tokens, upperBound, lines } = quoteOf(SIZES, { ...PRICES, tier: 0, page: 0 });
    expect([tokens, upperBound]).toEqual([0, 0]);
    expect(lines).toEqual([{ what: "text recognition, textract", unit: "page", quantity: 2, tokens: 0 }]);
  });

  it("is in whole tokens, and never above its bound", () => {
    const random = randomFrom(7);
    for (let at = 0; at < 500; at += 1) {
      const [prompts, answers, content] = [random(50_000), random(50_000), random(50_000)];
      const recognised = { expected: random(50), most: random(50) };
      const sizes = {
        requests: 1 + random(9),
        prompts,
        looks: random(20_000),
        answers,
        content,
        recognised,
        unread: { expected: random(900), most: random(900) },
      };
      const { tokens, upperBound } = quoteOf(sizes, { ...PRICES, tier: random(5 * MILLIONTHS), page: random(2_000) });
      expect(Number.isSafeInteger(tokens) && Number.isSafeInteger(upperBound)).toBe(true);
      expect(upperBound).toBeGreaterThanOrEqual(tokens);
    }
  });
});

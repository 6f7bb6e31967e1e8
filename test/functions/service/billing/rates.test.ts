/** Rates: the tokens of usage events, and rates as JSON. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseBilling } from "../../../../bin/billing.ts";
import { blendedTokens, type Charged, providerPageRate, tokensOf } from "../../../../functions/service/billing/rate.ts";
import { parseRates, RateFault } from "../../../../functions/service/billing/rate-file.ts";

const event = (change: Partial<Charged> = {}): Charged => ({
  unit: "token",
  quantity: 1_000,
  llm_tier: "DEFAULT",
  provider_key: "openai:a-model",
  billing_exempt: false,
  createdAt: "2026-11-23T12:00:00.000Z",
  ...change,
});
const pages = (provider_key: string, change: Partial<Charged> = {}): Charged =>
  event({ unit: "page", quantity: 3, llm_tier: null, provider_key, ...change });

const faultOf = (text: string): string => {
  try {
    parseRates(text);
  } catch (error) {
    if (error instanceof RateFault) return error.message;
    throw error;
  }
  return "accepted";
};

describe("without rates", () => {
  it("a token of every tier is one, a page of Textract 1,000, and of the embedded recognition none", () => {
    for (const llm_tier of ["NANO", "MINI", "DEFAULT", "HIGH"]) expect(tokensOf(event({ llm_tier }), [])).toBe(1_000);
    expect(tokensOf(pages("textract:AnalyzeDocument"), [])).toBe(3_000);
    expect(tokensOf(pages("tesseract.js:recognize"), [])).toBe(0);
  });
});

describe("nothing is debited", () => {
  it("for an organization's own provider, nor for exempt usage", () => {
    expect(tokensOf(event({ provider_key: "provider:7" }), [])).toBe(0);
    expect(tokensOf(event({ billing_exempt: true }), [])).toBe(0);
    expect(tokensOf(pages("provider:7"), [])).toBe(0);
    expect(tokensOf(pages("textract:AnalyzeDocument", { billing_exempt: true }), [])).toBe(0);
  });
});

describe("blended tokens", () => {
  it.each([
    [1, "0.1", 1],
    [10, "0.1", 1],
    [11, "0.1", 2],
    [3, "0.333333", 1],
    [3, "0.333334", 2],
    [1_000_000, "1.1", 1_100_000],
    [7, "1.1", 8],
    [0, "5", 0],
    [123_456_789, "2.675", 330_246_911],
  ])("of %i by %s are %i, exactly", (quantity, multiplier, tokens) => {
    for (const written of [multiplier, `"${multiplier}"`]) {
      const [rates] = parseRates(`{"llm": {"DEFAULT": ${written}}}`);
      expect(blendedTokens(quantity, rates?.tiers.DEFAULT ?? 0)).toBe(tokens);
    }
  });
});

describe("a new rate", () => {
  const table = parseRates(`[
    {"llm": {"MINI": 0.5, "HIGH": 4}, "ocr": {"textract": 800, "embedded": 5}},
    {"from": "2026-12-01", "llm": {"HIGH": 6}, "ocr": {"textract:AnalyzeDocument": 2000}}
  ]`);
  const later = { createdAt: "2026-12-01T00:00:00.000Z" };

  it("applies to later events, and leaves what it does not name", () => {
    expect(tokensOf(event({ llm_tier: "HIGH" }), table)).toBe(4_000);
    expect(tokensOf(event({ llm_tier: "HIGH", createdAt: "2026-11-30T23:59:59.999Z" }), table)).toBe(4_000);
    expect(tokensOf(event({ llm_tier: "HIGH", ...later }), table)).toBe(6_000);
    expect(tokensOf(event({ llm_tier: "MINI", ...later }), table)).toBe(500);
    expect(tokensOf(event(later), table)).toBe(1_000);
  });

  it("may be that of an operation of a provider", () => {
    expect(tokensOf(pages("textract:AnalyzeDocument"), table)).toBe(2_400);
    expect(tokensOf(pages("textract:AnalyzeDocument", later), table)).toBe(6_000);
    expect(tokensOf(pages("textract:DetectDocumentText", later), table)).toBe(2_400);
    expect(providerPageRate(table, "textract", later.createdAt)).toBe(2_000);
    expect(tokensOf(pages("tesseract:recognize"), table)).toBe(15);
  });
});

describe("rates that are wrong", () => {
  it.each([
    ['{\n  "llm": {\n    "MINI": -1\n  }\n}', "line 3: a multiplier is a decimal from 0 to 1000"],
    ['[\n{"llm": {"MINI": 1}},\n{"from": "soon"}]', "line 3: `from` is a day or a time in UTC"],
    ['{"llm": {"MINI": 1,\n"TINY": 1}}', "line 2: there is no tier TINY"],
    ['{"ocr": {\n"textract": 1.5}}', "line 2: tokens a page are a whole number"],
    ['{"ocr": {\n"te xt": 1}}', "line 2: a provider's name has letters"],
    ['{"llm": 1}', "line 1: `llm` is an object of tiers"],
    ['{\n\n"price": 1}', "line 3: there is no member price"],
    ['{"llm": {"MINI": 0.1234567}}', "line 1: a multiplier is a decimal"],
    ['[{},\n{"from": "1970-01-01"}]', "line 2: another set of rates is from the same time"],
    ['{\n"llm": {"MINI": 1,}\n}', "line 2: here it is no longer JSON"],
    ['{\n"llm": {', "line 2: here it is no longer JSON"],
    ["[1]", "line 1: a set of rates is an object"],
  ])("%j are refused with their line", (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });
});

describe("the settings", () => {
  it("are read from the environment, the rates from JSON or a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "sheaf-rates-"));
    const file = join(folder, "rates.json");
    writeFileSync(file, '{"ocr": {"textract": 700}}');
    const inFile = parseBilling({ SHEAF_BILLING: "Enforced", SHEAF_RATES: file }, "off");
    expect(inFile).toMatchObject({ mode: "enforced", checkoutUrl: null, rates: [{ pages: { textract: 700 } }] });
    expect(parseBilling({ SHEAF_RATES: '{"ocr": {"textract": 700}}' }, "record")).toMatchObject({
      mode: "record",
      rates: inFile.rates,
    });
    writeFileSync(file, '{\n"ocr": 7}');
    expect(() => parseBilling({ SHEAF_RATES: file }, "off")).toThrow(
      `SHEAF_RATES: ${file}, line 2: \`ocr\` is an object`,
    );
    rmSync(folder, { recursive: true });
    expect(() => parseBilling({ SHEAF_RATES: file }, "off")).toThrow("cannot be read");
  });

  it.each([
    [{ SHEAF_BILLING: "on" }, "SHEAF_BILLING must be one of off, record, enforced"],
    [{ SHEAF_CHECKOUT_URL: "javascript:alert(1)" }, "SHEAF_CHECKOUT_URL must be an address"],
    [{ SHEAF_PORTAL_URL: "example.com" }, "SHEAF_PORTAL_URL must be an address"],
  ])("%j are refused", (env, fault) => {
    expect(() => parseBilling(env, "off")).toThrow(fault);
  });
});

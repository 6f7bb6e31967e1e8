import { describe, expect, it } from "vitest";
import {
  currencyOf,
  isCode,
  namedCurrencies,
  parseCurrency,
  settleSign,
} from "../../../../../functions/core/extraction/formats/currency.ts";

describe("parseCurrency", () => {
  it.each<[string, string[], string | null]>([
    ["€", [], "EUR"],
    ["EUR", [], "EUR"],
    ["eur", [], "EUR"],
    ["Euro", [], "EUR"],
    ["euros", [], "EUR"],
    ["$", [], "USD"],
    ["$", ["CAD"], "CAD"],
    ["$", ["USD", "CAD"], null],
    ["US$", ["CAD"], "USD"],
    ["A$", [], "AUD"],
    ["R$", [], "BRL"],
    ["£", [], "GBP"],
    ["CHF", [], "CHF"],
    ["SFr.", [], "CHF"],
    ["Fr.", [], "CHF"],
    ["kr", [], null],
    ["kr", ["SEK"], "SEK"],
    ["¥", [], "JPY"],
    ["¥", ["CNY"], "CNY"],
    ["zł", [], "PLN"],
    ["Kč", [], "CZK"],
    ["US dollars", [], "USD"],
    ["Schweizer Franken", [], "CHF"],
    ["ABC", [], null],
    ["", [], null],
  ])("%j in a document with %j is %s", (text, seen, code) => {
    expect(parseCurrency(text, new Set(seen))).toBe(code);
  });

  it("keeps shared signs apart from codes", () => {
    expect(currencyOf("$")).toBe("$");
    expect(isCode("$")).toBe(false);
    expect(currencyOf("kr.")).toBe("kr");
    expect(settleSign("kr", new Set(["NOK"]))).toBe("NOK");
  });

  it("finds currencies that a sentence names", () => {
    expect(namedCurrencies("alle betrage in euro")).toEqual(["EUR"]);
    expect(namedCurrencies("a neuron")).toEqual([]);
  });
});

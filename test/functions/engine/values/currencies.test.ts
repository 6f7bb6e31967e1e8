import { describe, expect, it } from "vitest";
import {
  currenciesOf,
  currencyOf,
  isCode,
  namedCurrencies,
  parseCurrency,
  settleSign,
} from "../../../../functions/engine/values/currencies.ts";
import { foldText } from "../../../../functions/engine/values/text-folding.ts";

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
    ["￥", ["CNY"], "CNY"],
    ["円", ["CNY"], "JPY"],
    ["zł", [], "PLN"],
    ["Kč", [], "CZK"],
    ["Eur", [], "EUR"],
    ["S/.", [], "PEN"],
    ["Gs.", [], "PYG"],
    ["kz", [], "AOA"],
    ["đ", [], "VND"],
    ["US dollars", [], "USD"],
    ["Schweizer Franken", [], "CHF"],
    ["ABC", [], null],
    ["", [], null],
  ])("%j in a document with %j is %s", (text, seen, code) => {
    expect(parseCurrency(text, new Set(seen))).toBe(code);
  });

  it("knows names in any script as whole words", () => {
    expect(namedCurrencies(foldText("сто рублей 00 копеек"))).toEqual(["RUB"]);
    expect(namedCurrencies("nairas")).toEqual([]);
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

describe("currenciesOf", () => {
  it.each<[string, string[], string[], string[], string[]]>([
    ["a sign of one currency", ["£"], ["12 Mill Lane"], ["GBP"], []],
    ["the most common one, where nothing tells", ["$"], ["12 Mill Lane"], ["USD"], ["USD"]],
    ["none, where none is common", ["kr"], ["12 Mill Lane"], [], []],
    ["what a name says", ["$"], ["Canadian dollars"], ["CAD"], []],
    ["what a code says", ["$", "AUD"], ["Ottawa ON K1P 5G4"], ["AUD"], []],
    ["a VAT id's country", ["kr"], ["VAT: DK 13 58 56 28"], ["DKK"], []],
    ["an account's country", ["kr"], ["NO93 8601 1117 947"], ["NOK"], []],
    ["an address", ["$"], ["Seattle, WA 98109-5210"], ["USD"], []],
    ["a country's name", ["$"], ["Level 3, Sydney, Australia"], ["AUD"], []],
    ["a country's code behind a postal code", ["$"], ["1 Raffles Place, 048616, SG"], ["SGD"], []],
    ["two countries that share it", ["$"], ["Seattle, WA 98109", "Ottawa ON K1P 5G4"], ["USD"], ["USD"]],
    ["a country with a sign of its own", ["$"], ["VAT: DE136695976"], ["USD"], ["USD"]],
  ])("%s: %j with %j", (_, marks, lines, currencies, assumed) => {
    const found = currenciesOf(
      marks.flatMap((mark) => currencyOf(mark) ?? []),
      lines,
    );
    expect([...found.currencies].sort()).toEqual(currencies);
    expect([...found.assumed]).toEqual(assumed);
  });

  it.each<[string, string, string, string[]]>([
    ["the home of the language", "kr", "da", ["DKK"]],
    ["the home of the language", "kr", "sv", ["SEK"]],
    ["none, where the language is at home elsewhere", "kr", "de", []],
    ["the most common one, where the language is at home elsewhere", "$", "de", ["USD"]],
  ])("%s: %j in a text in %j", (_, sign, language, currencies) => {
    const found = currenciesOf([sign], ["Hovedvejen 12"], language);
    expect([...found.currencies]).toEqual(currencies);
    expect([...found.assumed]).toEqual(currencies);
  });
});

describe("signs of several currencies", () => {
  it.each<[string, string[], string | null, string]>([
    ["Rs", ["CNPJ 12.345.678/0001-95"], null, "BRL"],
    ["Rs", ["Total"], null, "INR"],
    ["¥", ["合计金额"], null, "CNY"],
    ["¥", ["合計はこちら"], null, "JPY"],
  ])("are settled by the country or the script of the page: %s on %j", (sign, lines, language, code) => {
    const mark = currencyOf(sign) ?? "";
    expect([...currenciesOf([mark], lines, language).currencies]).toEqual([code]);
  });
});

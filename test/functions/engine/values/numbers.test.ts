import { describe, expect, it } from "vitest";
import {
  decideNotation,
  type Notation,
  parseNumber,
  scanNumbers,
} from "../../../../functions/engine/values/numbers.ts";

/** Text, its value where the decimal mark is a comma, and where it is a point. */
const CASES: [string, number | null, number | null][] = [
  ["0", 0, 0],
  ["7", 7, 7],
  ["1250", 1250, 1250],
  ["12,50", 12.5, 12.5],
  ["12.50", 12.5, 12.5],
  ["0,99", 0.99, 0.99],
  ["0.99", 0.99, 0.99],
  ["0.125", 0.125, 0.125],
  ["0,125", 0.125, 0.125],
  ["1.234", 1234, 1.234],
  ["1,234", 1.234, 1234],
  ["12.345", 12345, 12.345],
  ["12,345", 12.345, 12345],
  ["1234.567", 1234.567, 1234.567],
  ["1234,567", 1234.567, 1234.567],
  ["1.234,56", 1234.56, 1234.56],
  ["1,234.56", 1234.56, 1234.56],
  ["1.234.567", 1234567, 1234567],
  ["1,234,567", 1234567, 1234567],
  ["1.234.567,89", 1234567.89, 1234567.89],
  ["1,234,567.89", 1234567.89, 1234567.89],
  ["1 234,56", 1234.56, 1234.56],
  ["1 234 567,89", 1234567.89, 1234567.89],
  ["1\u00a0234,56", 1234.56, 1234.56],
  ["1\u202f234,56", 1234.56, 1234.56],
  ["12 500", 12500, 12500],
  ["1'234.56", 1234.56, 1234.56],
  ["1’234.56", 1234.56, 1234.56],
  ["12'345'678.90", 12345678.9, 12345678.9],
  ["10'000", 10000, 10000],
  ["-7,67", -7.67, -7.67],
  ["- 7,67", -7.67, -7.67],
  ["−7,67", -7.67, -7.67],
  ["–7.67", -7.67, -7.67],
  ["+7.67", 7.67, 7.67],
  ["7,67-", -7.67, -7.67],
  ["1.234,56-", -1234.56, -1234.56],
  ["(7.67)", -7.67, -7.67],
  ["(1,234.56)", -1234.56, -1234.56],
  ["($12.00)", -12, -12],
  ["$12.00", 12, 12],
  ["$ 12.00", 12, 12],
  ["-$12.00", -12, -12],
  ["$-12.00", -12, -12],
  ["€ 1.234,56", 1234.56, 1234.56],
  ["1.234,56 €", 1234.56, 1234.56],
  ["1.234,56€", 1234.56, 1234.56],
  ["EUR 99,90", 99.9, 99.9],
  ["99,90 EUR", 99.9, 99.9],
  ["99,90EUR", 99.9, 99.9],
  ["99,90 Euro", 99.9, 99.9],
  ["£1,500", 1.5, 1500],
  ["CHF 2'606.35", 2606.35, 2606.35],
  ["SFr. 50.00", 50, 50],
  ["US$ 19.99", 19.99, 19.99],
  ["R$ 1.500,00", 1500, 1500],
  ["150,00 kr", 150, 150],
  ["kr 150,00", 150, 150],
  ["1 000,00 Kč", 1000, 1000],
  ["45,00 zł", 45, 45],
  ["¥1,000", 1, 1000],
  ["1.000,-", 1000, 1000],
  ["100.–", 100, 100],
  ["19 %", 19, 19],
  ["19%", 19, 19],
  ["8.25%", 8.25, 8.25],
  ["00.00", 0, 0],
  ["-0.00", 0, 0],
  // Not one number.
  ["", null, null],
  ["abc", null, null],
  ["05.03.2018", null, null],
  ["2018-03-05", null, null],
  ["12:30", null, null],
  ["A-12", null, null],
  ["12a", null, null],
  ["INV2024", null, null],
  ["030/12345", null, null],
  ["1.2.3", null, null],
  ["1.23.4", null, null],
  ["10-12", null, null],
  ["3 x 4", null, null],
  ["#5", null, null],
  ["§19", null, null],
  ["1,234.56.78", null, null],
];

describe("parseNumber", () => {
  const notations: Notation[] = ["comma", "point"];
  for (const [column, notation] of notations.entries()) {
    it.each(CASES.map((row) => [row[0], column === 0 ? row[1] : row[2]] as const))(
      `%j with a decimal ${notation} is %s`,
      (text, value) => {
        expect(parseNumber(text, notation)).toBe(value);
      },
    );
  }
});

describe("scanNumbers", () => {
  it("finds every number of a line with its place, currency and percent sign", () => {
    const text = "2 x 19 % auf 1.200,00 EUR = 228,00 €";
    const spans = scanNumbers(text, "comma");
    expect(spans.map((span) => [text.slice(span.start, span.end), span.value, span.currency, span.percent])).toEqual([
      ["2", 2, null, false],
      ["19 %", 19, null, true],
      ["1.200,00 EUR", 1200, "EUR", false],
      ["228,00 €", 228, "EUR", false],
    ]);
  });

  it("keeps the bare sign of a currency that several share", () => {
    expect(scanNumbers("$5.00; kr 7.00", "point").map((span) => span.currency)).toEqual(["$", "kr"]);
  });

  it("does not join a quantity and a price", () => {
    expect(scanNumbers("2 10,00", "comma").map((span) => span.value)).toEqual([2, 10]);
  });

  it("reads no number out of codes, dates, addresses and times", () => {
    for (const text of [
      "RE-2024-001",
      "12.05.2024",
      "a1@b2.example",
      "www.5.example/6",
      "14:05",
      "DE89370400440532013000",
    ]) {
      expect(scanNumbers(text, "point")).toEqual([]);
    }
  });
});

describe("decideNotation", () => {
  it.each<[string[], Notation, Notation]>([
    [["Total 1.234,56"], "point", "comma"],
    [["Total 1,234.56"], "comma", "point"],
    [["12,50", "7,00"], "point", "comma"],
    [["12.50", "7.00"], "comma", "point"],
    [["1'234.50"], "comma", "point"],
    [["1 234,50"], "point", "comma"],
    [["1.234", "2.500"], "comma", "comma"],
    [["Rice 27.500", "Tea 17.500", "Total 45.000"], "point", "comma"],
    [["1,234"], "point", "point"],
    [["Stamp 0.600 DT", "Mailbox 2.680 DT", "Total 13.360 DT"], "comma", "point"],
    [["Cheese 0,250", "Bread 1,500"], "point", "comma"],
    [["05.03.2018", "10,00"], "point", "comma"],
    [["Version 1.2", "10,00", "20,00"], "point", "comma"],
    [[], "comma", "comma"],
  ])("%j (else %s) → %s", (lines, fallback, notation) => {
    expect(decideNotation(lines, fallback)).toBe(notation);
  });
});

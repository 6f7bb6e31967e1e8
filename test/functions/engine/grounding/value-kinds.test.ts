import { describe, expect, it } from "vitest";
import type { Json } from "../../../../functions/ports/json.ts";
import { PageMaker } from "../extraction/page.ts";
import { found, locateIn, wordsAt } from "./located.ts";

const GERMAN = "Der Betrag von 12,50 und von 3,75 ist bis zum Ende der Frist mit der Rechnung zu zahlen";
const ENGLISH = "The amount of 12.50 and of 3.75 is to be paid by the end of the period for this invoice";

describe("locateValues, for numbers", () => {
  it.each<[string, number, string, string]>([
    [GERMAN, 1234.5, "Summe 1.234,50 EUR", "1.234,50 EUR"],
    [ENGLISH, 1234.5, "Sum 1,234.50", "1,234.50"],
    [GERMAN, 1234.5, "Summe 1 234,50", "1 234,50"],
    [ENGLISH, 1234.5, "Summe 1'234.50", "1'234.50"],
    [GERMAN, 12345, "Stand 12.345", "12.345"],
    [ENGLISH, -8.79, "Balance (8.79)", "(8.79)"],
    [ENGLISH, -8.79, "Balance 8.79-", "8.79-"],
    [ENGLISH, -8.79, "Balance −8.79", "−8.79"],
    [ENGLISH, 0.19, "Rate 19 %", "19 %"],
    [ENGLISH, 19, "Rate 19%", "19%"],
    [GERMAN, 0.075, "Satz 7,5 %", "7,5 %"],
    [ENGLISH, 517.2, "Paid €517.20", "€517.20"],
    [ENGLISH, 517.2, "Paid 517.20EUR", "517.20EUR"],
    [ENGLISH, 1_200_000, "Revenue 1.2M", "1.2M"],
    [GERMAN, 35_000, "Umsatz 35 Tsd.", "35 Tsd."],
    [ENGLISH, 250, "Weight 250g", "250g"],
    [ENGLISH, 471102, "Reference RE-471102", "RE-471102"],
    [ENGLISH, 2018, "Code RE/2018/7", "RE/2018/7"],
  ])("%# finds %s", (context, value, line, words) => {
    expect(found([context, line], value)).toBe(words);
  });

  it.each<[number, string]>([
    [15, "Version 1.5"],
    [1234.5, "Sum 1,234.51"],
    [1.5, "Count 15"],
    [12, "Order A12"],
    [5_000_000, "Length 5 m"],
    [-2, "Quantity 2"],
    [517, "Total 517.20"],
    [20, "Total 517.20"],
    [2024, "Total 2,024.50"],
  ])("does not take %d for %s", (value, line) => {
    expect(found([ENGLISH, line], value)).toBeNull();
  });

  it("separates two adjacent numbers", () => {
    const page = new PageMaker().text(1, 0.5, GERMAN).text(1, 1, "50 275,00");
    const { sources } = locateIn(page.layout(), { quantity: 50, amount: 275 });
    expect(wordsAt(page.layout(), sources.locations["/quantity"])).toBe("50");
    expect(wordsAt(page.layout(), sources.locations["/amount"])).toBe("275,00");
  });

  it("reads digits that recognition made letters, with less confidence", () => {
    const page = new PageMaker().text(1, 0.5, ENGLISH).text(1, 1, "Total l2O.S0", { confidence: 0.8 });
    const { sources } = locateIn(page.layout(), { sum: 120.5 });
    expect(wordsAt(page.layout(), sources.locations["/sum"])).toBe("l2O.S0");
    expect(sources.locations["/sum"]?.confidence).toBeLessThan(0.7);
    expect(found([ENGLISH, "Total l2O.S0"], 120.5)).toBeNull();
  });
});

describe("locateValues, for dates", () => {
  it.each<[string, string, string]>([
    ["Datum 05.03.2018", "2018-03-05", "05.03.2018"],
    ["Datum 5. März 2018", "2018-03-05", "5. März 2018"],
    ["Date 5 mars 2018", "2018-03-05", "5 mars 2018"],
    ["Fecha 5 de marzo de 2018", "2018-03-05", "5 de marzo de 2018"],
    ["Datum 5 maart 2018", "2018-03-05", "5 maart 2018"],
    ["Data 5 marzo 2018", "2018-03-05", "5 marzo 2018"],
    ["Date March 5, 2018", "2018-03-05", "March 5, 2018"],
    ["Date 25/03/18", "2018-03-25", "25/03/18"],
    ["Date 2018-03-05", "2018-03-05T10:30:00Z", "2018-03-05"],
    ["Period 01.03. - 31.03.2018", "2018-03-01", "01.03. - 31.03.2018"],
    ["Period 01.03. - 31.03.2018", "2018-03-31", "31.03.2018"],
    ["Period 5 – 8 March 2018", "2018-03-05", "5 – 8 March 2018"],
    ["Period March 5 - 8, 2018", "2018-03-08", "March 5 - 8, 2018"],
    ["Month March 2018", "2018-03", "March 2018"],
    ["Month 03/2018", "2018-03", "03/2018"],
    ["Date 05.03.2018", "March 5, 2018", "05.03.2018"],
  ])("finds in %s the date %s", (line, value, words) => {
    expect(found([line], value)).toBe(words);
  });

  it("prefers the document's date order for numeric dates", () => {
    const page = new PageMaker()
      .text(1, 1, "Ordered 04/05/2018")
      .text(1, 2, "Paid 05/04/2018")
      .text(1, 3, "Sent 25/12/2018");
    const { sources } = locateIn(page.layout(), { when: "2018-05-04" });
    expect(wordsAt(page.layout(), sources.locations["/when"])).toBe("04/05/2018");
  });

  it("reads a date across a line break", () => {
    const page = new PageMaker().lines(1, 1, ["This agreement begins on March", "5, 2018 and has no end"]);
    const { sources } = locateIn(page.layout(), { begins: "2018-03-05" });
    expect(wordsAt(page.layout(), sources.locations["/begins"])).toBe("March 5, 2018");
    expect(sources.locations["/begins"]?.pageAnchors[0]?.polygons).toHaveLength(2);
  });

  it.each(["2018-03-06", "2018-04-05", "2017-03-05"])("does not take %s for another day", (value) => {
    expect(found(["Datum 05.03.2018 Nr. 2018/0603"], value)).toBeNull();
  });
});

describe("locateValues, for texts", () => {
  it.each<[Json, string[], string]>([
    ["Großmann & Söhne GmbH", ["Firma", "GROSSMANN & SÖHNE GMBH"], "GROSSMANN & SÖHNE GMBH"],
    ["Office supplies", ["for office supplies, as agreed"], "office supplies,"],
    ["Creme brulee", ["One Crème brûlée"], "Crème brûlée"],
    ["efficient", ["An eﬃcient way"], "eﬃcient"],
    ['It\'s a "test" - really', ["It’s a “test” – really"], "It’s a “test” – really"],
    ["DE89370400440532013000", ["IBAN DE89 3704 0044 0532 0130 00"], "DE89 3704 0044 0532 0130 00"],
    ["+49 711 50885524", ["Tel. +49 711-50885524"], "+49 711-50885524"],
    ["Foo Bar", ["the FooBar product"], "FooBar"],
    ["FooBar", ["the Foo Bar product"], "Foo Bar"],
    ["RE-2018/001", ["Rechnung:RE-2018/001"], "Rechnung:RE-2018/001"],
    ["credit_note", ["This is a Credit note"], "Credit note"],
    ["€ 69,99", ["Preis € 69,99 netto"], "€ 69,99"],
    ["Smith, John", ["Attn. John Smith"], "John Smith"],
    ["1234.50", ["Summe 1.234,50"], "1.234,50"],
    ["東京都", ["住所 東京都千代田区"], "東京都千代田区"],
  ])("finds %s", (value, lines, words) => {
    expect(found(lines, value)).toBe(words);
  });

  it.each<[string, string]>([
    ["RE-2018-001", "RE-2018-002"],
    ["1.5", "15"],
    ["-5.00", "5.00"],
    ["12", "12,50"],
    ["NL", "NL810433941B01"],
    ["Meier Handel", "Maier Handel"],
    ["DE89370400440532013000", "DE89370400440532013001"],
    ["Lindenweg 4, Berlin", "Lindenweg 5, Berlin"],
    ["cat", "category"],
  ])("does not take %s for %s", (value, line) => {
    expect(found([line], value)).toBeNull();
  });

  it("finds a text across lines and hyphens", () => {
    const page = new PageMaker().lines(1, 1, ["Die Zahlungsbedin-", "gungen gelten für alle", "Lieferungen"]);
    const layout = page.layout();
    const [line] = layout.pages[0]?.blocks[0]?.kind === "paragraph" ? layout.pages[0].blocks[0].lines : [];
    if (line !== undefined) line.hyphenated = true;
    const { sources } = locateIn(layout, { terms: "Zahlungsbedingungen gelten für alle Lieferungen" });
    expect(wordsAt(layout, sources.locations["/terms"])).toBe("Zahlungsbedin- gungen gelten für alle Lieferungen");
    expect(sources.locations["/terms"]?.pageAnchors[0]?.polygons).toHaveLength(3);
  });

  it.each<[string, string]>([
    ["Invoice", "lnv0ice"],
    ["RE-2018-001", "RE-2O18-0Ol"],
    ["Herrmann Modern", "Hermann Modem"],
    ["cloud services", "doud services"],
    ["Bundesrepublik", "Bundesrepubljk"],
  ])("finds %s in its recognition as %s", (value, line) => {
    expect(found([`The ${line} here`], value, { text: { confidence: 0.6 } })).toBe(line);
  });

  it("finds a long text with a few changed words, by its block", () => {
    const sentences = [
      "The supplier warrants that all goods delivered under this agreement",
      "conform to the description in the order and are free from defects in",
      "material and workmanship for a period of twenty-four months from the",
      "date on which they were handed over to the customer or his carrier.",
    ];
    const page = new PageMaker().text(1, 0.5, "Other words of this agreement").lines(1, 1, sentences);
    const told = sentences.join(" ").replace("handed over", "transferred").replace("his carrier", "the carrier");
    const { sources } = locateIn(page.layout(), { warranty: told }, { granularity: "auto" });
    const location = sources.locations["/warranty"];
    expect(location?.resolution).toBe("block");
    expect(location?.pageAnchors[0]?.bbox.top).toBeCloseTo(1, 1);
    expect(location?.confidence).toBeGreaterThan(0.5);
    const other = "The customer agrees to pay all invoices of the supplier in full within thirty days of their receipt";
    expect(locateIn(page.layout(), { terms: other }).sources.unresolved).toEqual([
      { pointer: "/terms", reason: "not-found" },
    ]);
  });
});

describe("locateValues, for other spellings", () => {
  it.each<[string, string, string, string]>([
    ["currency", "GBP", "Total £12.50", "£12.50"],
    ["currency", "EUR", "Total 12.50 €", "€"],
    ["currency", "Euro", "Total EUR 12.50", "EUR"],
    ["country", "DE", "Berlin, Deutschland", "Deutschland"],
    ["country", "Germany", "Berlin DEUTSCHLAND", "DEUTSCHLAND"],
    ["countryCode", "NL", "Rotterdam Nederland", "Nederland"],
    ["country", "Netherlands", "3012 CN Rotterdam NL", "NL"],
  ])("finds %s %s in %s", (name, value, line, words) => {
    expect(found([line], value, { name })?.split(" ")).toContain(words);
  });

  it("takes no two letters for a country in a field for other values", () => {
    expect(found(["Deutschland"], "DE", { name: "unit" })).toBeNull();
  });
});

describe("locateValues, for booleans", () => {
  it.each<[string, boolean, string]>([
    ["☒ Paid", true, "☒"],
    ["☐ Paid", false, "☐"],
    ["[ x ] Paid", true, "[ x ]"],
    ["Paid: yes", true, "yes"],
    ["Paid: Nein", false, "Nein"],
    ["Paid: ☐ yes ☒ no", false, "☒ no"],
    ["Paid: yes ☒ no ☐", true, "yes ☒"],
  ])("reads %s as %s", (line, value, words) => {
    expect(found([line], value, { name: "paid" })).toBe(words);
    expect(found([line], !value, { name: "paid" })).toBeNull();
  });

  it("takes the box of the field's label, not of another", () => {
    const page = new PageMaker().text(1, 1, "☒ Paid").text(1, 2, "☐ Delivered").text(1, 3, "☒ Insured");
    const { sources } = locateIn(page.layout(), { delivered: false, insured: true, gift: true });
    expect(sources.locations["/delivered"]?.pageAnchors[0]?.bbox.top).toBeCloseTo(2, 1);
    expect(sources.locations["/insured"]?.pageAnchors[0]?.bbox.top).toBeCloseTo(3, 1);
    expect(sources.unresolved).toEqual([{ pointer: "/gift", reason: "not-found" }]);
  });
});

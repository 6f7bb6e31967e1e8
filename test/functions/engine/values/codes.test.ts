import { describe, expect, it } from "vitest";
import {
  isCodeWord,
  isIban,
  leadingCode,
  scanBics,
  scanEmails,
  scanIbans,
  scanPhones,
  scanUrls,
  scanVatIds,
} from "../../../../functions/engine/values/codes.ts";

const texts = (spans: { text: string }[]): string[] => spans.map((span) => span.text);

describe("shaped identifiers", () => {
  it("finds IBANs that pass their check, whatever follows them", () => {
    expect(texts(scanIbans("IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF"))).toEqual(["DE89 3704 0044 0532 0130 00"]);
    expect(texts(scanIbans("GB82WEST12345698765432, NL91ABNA0417164300"))).toEqual([
      "GB82WEST12345698765432",
      "NL91ABNA0417164300",
    ]);
    expect(isIban("DE89 3704 0044 0532 0130 01")).toBe(false);
  });

  it("finds an IBAN whose national check digits fail, and none of a wrong length or country", () => {
    expect(texts(scanIbans("IBAN FR20 1242 1242 1242 1242 1242 124"))).toEqual(["FR20 1242 1242 1242 1242 1242 124"]);
    expect(["FR76300060000112345678901", "ZZ02120300000000202051", ""].map(isIban)).toEqual([false, false, false]);
  });
  it("finds VAT ids by country", () => {
    expect(
      texts(scanVatIds("USt-IdNr. DE811223344, ATU12345675 NL123456782B01 FR40 303 265 045 CHE-123.456.788 MWST")),
    ).toEqual(["DE811223344", "ATU12345675", "NL123456782B01", "FR40 303 265 045", "CHE-123.456.788 MWST"]);
    expect(scanVatIds("ORDER12345678")).toEqual([]);
  });
  it("finds addresses of mail and web without the punctuation behind them", () => {
    expect(texts(scanEmails("Mail: jo.doe+x@shop.example, or a@b"))).toEqual(["jo.doe+x@shop.example"]);
    expect(texts(scanUrls("see https://shop.example/a?b=1. or www.shop.example)"))).toEqual([
      "https://shop.example/a?b=1",
      "www.shop.example",
    ]);
  });
  it("finds phone numbers, not dates or sums", () => {
    expect(texts(scanPhones("Tel. +49 (0)541 12345-0"))).toEqual(["+49 (0)541 12345-0"]);
    expect(texts(scanPhones("(512) 555-0134"))).toEqual(["(512) 555-0134"]);
    expect(scanPhones("12.05.2024 and 1.234.567,89")).toEqual([]);
  });
  it("finds BICs", () => {
    expect(texts(scanBics("BIC: COBADEFFXXX or DEUTDEFF500"))).toEqual(["COBADEFFXXX", "DEUTDEFF500"]);
  });
});

describe("reference codes", () => {
  it.each([
    "471102",
    "RE-2024/001",
    "FA-2017-0010",
    "#INV03051",
    "9314110911/00/M/00/N",
    "H-77",
    "2721-5058",
    "A/231",
    "20240566",
  ])("%j is one", (word) => {
    expect(isCodeWord(word)).toBe(true);
  });
  it.each([
    "Rechnung",
    "12.05.2024",
    "2024-05-12",
    "12:30",
    "1.234,56",
    "12.50",
    "19%",
    "a@b.example",
    "€5",
    "www.a1.example",
    "",
  ])("%j is none", (word) => {
    expect(isCodeWord(word)).toBe(false);
  });
  it.each<[string, string | null]>([
    ["471102", "471102"],
    [": 471102 vom 5.3.2018", "471102"],
    ["RE 2024-001", "RE 2024-001"],
    ["2018 001 77", "2018 001 77"],
    ["12 3456 7890 0000 1234 5678 9012", "12 3456 7890 0000 1234 5678 9012"],
    ["123 45 67 89 / 2010", "123 45 67 89 / 2010"],
    ["#1047", "#1047"],
    ["# 1047", "1047"],
    ["12345, Seite 1", "12345"],
    ["of the customer", null],
    ["12.05.2024", null],
    ["", null],
  ])("%j begins with %j", (text, code) => {
    expect(leadingCode(text)?.text ?? null).toBe(code);
  });
});

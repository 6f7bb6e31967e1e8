import { describe, expect, it } from "vitest";
import { labelKey } from "../../../../functions/engine/values/label-words.ts";
import { stem } from "../../../../functions/engine/values/stems.ts";
import {
  editDistance,
  foldInPlace,
  foldText,
  splitName,
  trimValue,
} from "../../../../functions/engine/values/text-folding.ts";

describe("labelKey", () => {
  it.each([
    ["Rechnungsnummer", "Rechnungs-Nr.:"],
    ["Rechnungsnummer", "RECHNUNGSNR"],
    ["Invoice Number", "Invoice No."],
    ["Invoice Number", "INVOICE #"],
    ["Invoice Number", "Invoice nr:"],
    ["Numéro de facture", "N° facture"],
    ["N° de facture", "Nº facture"],
    ["Date d'émission", "DATE D’EMISSION"],
    ["Date of issue", "Date issue:"],
    ["Fälligkeitsdatum", "Faelligkeitsdatum"],
    ["Empfänger", "Empfanger"],
    ["P.O. Number", "PO no."],
    ["Q.tà", "qta"],
  ])("%j and %j are one label", (a, b) => {
    expect(labelKey(a)).toBe(labelKey(b));
  });

  it.each([
    ["VAT", "VAT %"],
    ["Invoice", "Invoice no"],
    ["Net", "Net total"],
    ["Customer", "Customer number"],
  ])("%j and %j are two", (a, b) => {
    expect(labelKey(a)).not.toBe(labelKey(b));
  });

  it("takes a percentage for a value, not for a part of the label", () => {
    expect(labelKey("VAT 20 %")).toBe("vat20");
  });
});

describe("splitName", () => {
  it.each([
    ["invoiceNumber", ["invoice", "number"]],
    ["invoice_number", ["invoice", "number"]],
    ["InvoiceNo", ["invoice", "no"]],
    ["VATNumber", ["vat", "number"]],
    ["line-item.unitPrice", ["line", "item", "unit", "price"]],
    ["address2", ["address2"]],
    ["", []],
  ])("%j", (name, words) => {
    expect(splitName(name)).toEqual(words);
  });
});

describe("folding, stems, distances, trimming", () => {
  it("folds case, diacritics, ligatures and dashes", () => {
    expect(foldText("Größe Œuvre É–É ’s")).toBe("grosse oeuvre e-e 's");
  });
  it("keeps the length of a text where positions must hold", () => {
    for (const text of ["Größe", "ﬁnal", "İstanbul", "ŒUVRE ¼"]) expect(foldInPlace(text)).toHaveLength(text.length);
  });
  it("lets inflections meet", () => {
    expect(stem("methods")).toBe(stem("method"));
    expect(stem("lieferungen")).toBe(stem("lieferung"));
    expect(stem("tax")).toBe("tax");
  });
  it("gives up at the limit", () => {
    expect(editDistance("visa", "visa", 1)).toBe(0);
    expect(editDistance("mastercard", "mastrcard", 1)).toBe(1);
    expect(editDistance("abc", "xyz", 1)).toBe(2);
    expect(editDistance("a", "abcdef", 2)).toBe(3);
  });
  it("takes off what clings to a value", () => {
    expect(trimValue(" : Kunden AG ; ")).toBe("Kunden AG");
    expect(trimValue("(in words)")).toBe("in words");
    expect(trimValue("Smith (Ltd)")).toBe("Smith (Ltd)");
    expect(trimValue("– 12 –")).toBe("12 –");
  });
});

/** Line items of bills: the columns of description, quantity, price and amount. */
import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import type { Layout } from "../../../../../../functions/ports/layout.ts";
import { setLayout, setTable } from "../../../../../support/typeset.ts";
import { PageMaker } from "../../page.ts";

const text: Json = { type: "string" };
const number: Json = { type: "number" };

const SCHEMA: Json = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { description: text, quantity: number, unit_price: number, amount: number },
      },
    },
  },
};

type Item = [description: string | null, quantity: number | null, price: number | null, amount: number | null];

/** The items that are read, cell by cell. */
function itemsIn(layout: Layout): Item[] {
  const { result } = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "word" });
  const { lines } = result as { lines: { [name: string]: string | number | null }[] };
  return lines.map(({ description, quantity, unit_price, amount }) => [
    description as string,
    quantity as number,
    unit_price as number,
    amount as number,
  ]);
}

const inTable = (rows: string[][], headerRows: number): Item[] => itemsIn(setLayout([setTable(rows, headerRows)]));

describe("line items of a table", () => {
  it("are found without headings where quantity times price is the amount", () => {
    const rows = [
      ["1", "Zirkelkasten", "3", "19%", "4,00", "12,00"],
      ["2", "Lineal 30 cm", "5", "19%", "5,50", "27,50"],
      ["3", "Anspitzer", "20", "7%", "5,49", "109,80"],
    ];
    expect(inTable(rows, 0)).toEqual([
      ["Zirkelkasten", 3, 4, 12],
      ["Lineal 30 cm", 5, 5.5, 27.5],
      ["Anspitzer", 20, 5.49, 109.8],
    ]);
  });

  it("are none where no columns multiply and nothing heads them", () => {
    const rows = [
      ["1", "Zirkelkasten", "3", "4,00", "13,00"],
      ["2", "Lineal 30 cm", "5", "5,50", "28,50"],
    ];
    expect(inTable(rows, 0)).toEqual([]);
  });

  it.each([
    [["Megnevezés", "Mennyiség", "Egységár", "Nettó érték"]],
    [["Malzeme/Hizmet Açıklaması", "Miktar", "Birim Fiyat", "Mal Hizmet Tutarı"]],
    [["Označení dodávky", "Množství", "Cena za MJ", "Celkem"]],
    [["Tuote", "Määrä", "à-hinta", "Yhteensä"]],
    [["Pavadinimas", "Kiekis", "Kaina", "Suma be PVM"]],
    [["Περιγραφή", "Ποσότητα", "Τιμή μονάδας", "Αξία"]],
    [["Наименование товара", "Кол-во", "Цена", "Сумма"]],
    [["品名", "数量", "単価", "金額"]],
  ])("are found below %j", (headings) => {
    expect(inTable([headings, ["Xanor 12", "1", "7.50", "7.50"]], 1)).toEqual([["Xanor 12", 1, 7.5, 7.5]]);
  });

  it("have no running numbers before their descriptions", () => {
    const rows = [
      ["Position und Artikel", "Menge", "Einzelpreis", "Betrag"],
      ["1 Superdrachen", "2", "20,00", "40,00"],
      ["2 Turbo Flyer", "5", "40,00", "200,00"],
      ["3 Eisvogel", "3", "50,00", "150,00"],
    ];
    expect(inTable(rows, 1).map(([description]) => description)).toEqual(["Superdrachen", "Turbo Flyer", "Eisvogel"]);
  });

  it("are no charges without a quantity and a price", () => {
    const rows = [
      ["Description", "Hours", "Rate", "Amount"],
      ["Concept", "12", "160.00", "1920.00"],
      ["Implementation", "34", "160.00", "5440.00"],
      ["plus VAT 14%", "", "", "1030.40"],
    ];
    expect(inTable(rows, 1).map(([description]) => description)).toEqual(["Concept", "Implementation"]);
  });

  it("take no text with a number in it for the quantity", () => {
    const rows = [
      ["Reference", "Description", "Price", "Qty", "Amount"],
      ["Order line: 1", "Support", "60.00", "1", "60.00"],
      ["Order line: 3", "Supplies", "10.00", "3", "30.00"],
      ["Order line: 2", "Call", "5.00", "1", "5.00"],
    ];
    expect(inTable(rows, 1).map(([, quantity]) => quantity)).toEqual([1, 3, 1]);
  });

  it("take no measure that nearly multiplies for the amount", () => {
    const rows = [
      ["Item", "m2", "Qty", "m2 in all", "Price", "Amount"],
      ["Panel", "0.180", "20", "3.5900", "8.32", "166.40"],
      ["Panel, glazed", "0.160", "10", "1.5960", "7.39", "73.90"],
      ["Plinth", "0.320", "10", "3.2020", "14.84", "148.40"],
    ];
    expect(inTable(rows, 1)).toEqual([
      ["Panel", 20, 8.32, 166.4],
      ["Panel, glazed", 10, 7.39, 73.9],
      ["Plinth", 10, 14.84, 148.4],
    ]);
  });
});

describe("line items of rows", () => {
  /** Rows below a header: description, quantity, price and amount at their columns. */
  function rowsBelow(lines: readonly (readonly [string, string?, string?, string?])[]): Item[] {
    const maker = new PageMaker();
    const heads = ["Beschreibung", "Menge", "Einzelpreis", "Betrag"] as const;
    for (const [at, [name, ...numbers]] of [heads, ...lines].entries()) {
      maker.text(1, 1 + at * 0.17, name);
      for (const [column, number] of numbers.entries())
        if (number !== undefined) maker.text(4 + column, 1 + at * 0.17, number, { align: "right" });
    }
    return itemsIn(maker.layout());
  }

  it("take the words that did not fit into the description's line, and no details below it", () => {
    expect(
      rowsBelow([
        ["Gelierzucker mit Pektin", "2", "1,45", "2,90"],
        ["und Zitronensäure"],
        ["GTIN: 4123456000021"],
        ["Einmachglas", "4", "2,00", "8,00"],
        ["mit Deckel"],
      ]),
    ).toEqual([
      ["Gelierzucker mit Pektin und Zitronensäure", 2, 1.45, 2.9],
      ["Einmachglas", 4, 2, 8],
    ]);
  });
});

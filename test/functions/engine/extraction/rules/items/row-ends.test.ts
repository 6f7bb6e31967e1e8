import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import { PageMaker } from "../../page.ts";
import { grid } from "../invoices/sample.ts";

type Row = [string, string];

const SCHEMA = {
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: { type: "object", properties: { item: { type: "string" }, price: { type: "number" } } },
    },
  },
};

/** The items of a list of two columns, read offline. */
function itemsOf(rows: readonly Row[], heading: Row = ["Item", "Price"]): string[] {
  const page = new PageMaker();
  grid(page, 1, [1, -5], [heading, ...rows]);
  const { result } = extractOffline(page.layout(), { schema: parseSchema(SCHEMA), granularity: "auto" });
  return (result as { rows: { item: string }[] }).rows.map(({ item }) => item);
}

/** Twelve plain rows, so that nothing adds up by chance. */
const PLAIN = Array.from(
  { length: 12 },
  (_, index): Row => [`Valve ${String.fromCharCode(65 + index)}`, (10.5 + ((index * 37) % 91)).toFixed(2)],
);
const names = (rows: readonly Row[]): string[] => rows.map(([name]) => name);

const NAMED = [
  ...["Carriage bolt", "Tax advice", "Shipping", "Total Gym X1000", "Deposit slip", "Freight scale", "Balance beam"],
  ...["Porto", "Skonto Handbuch", "Saldo Ordner", "Rabatt Aufkleber", "Versand", "Bezahlt Stempel"],
  ...["Transport chariot", "Livraison express colis", "Port USB", "Solde tout compte"],
  ...["Portes correderas", "Base madera", "Total Look camisa", "Descuento etiqueta"],
  ...["Korting stickers", "Saldo boekje", "Porto rood", "Verzending doos"],
];

describe("a row that begins with a word of the totals", () => {
  it.each(NAMED)("%s is an item inside of a list", (name) => {
    const rows = [...PLAIN.slice(0, 5), [name, "7.25"] as Row, ...PLAIN.slice(5)];
    expect(itemsOf(rows)).toEqual(names(rows));
  });

  it.each(NAMED)("%s is an item at the beginning of a list", (name) => {
    const rows = [[name, "7.25"] as Row, ...PLAIN];
    expect(itemsOf(rows)).toEqual(names(rows));
  });

  it.each(["Carriage bolt", "Porto Tawny", "Transport chariot", "Base madera", "Korting stickers"])(
    "%s is an item if the sum includes it, or no sum follows",
    (name) => {
      const rows: Row[] = [
        ["Pump", "40.00"],
        ["Hose", "20.00"],
        [name, "5.50"],
      ];
      expect(itemsOf(rows)).toEqual(names(rows));
      expect(itemsOf([...rows, ["Subtotal", "65.50"], ["VAT 20%", "13.10"], ["Total", "78.60"]])).toEqual(names(rows));
    },
  );
});

describe("the sums below a list", () => {
  const items: Row[] = [
    ["Pump", "40.00"],
    ["Hose", "20.00"],
  ];

  it.each([
    [
      "en",
      [
        ["Shipping", "5.00"],
        ["Total", "65.00"],
      ],
    ],
    [
      "en, for whom",
      [
        ["Freight to Leeds", "5.00"],
        ["Total", "65.00"],
      ],
    ],
    [
      "en, paid",
      [
        ["Subtotal", "60.00"],
        ["VAT 20%", "12.00"],
        ["Total", "72.00"],
        ["Paid by card", "72.00"],
      ],
    ],
    [
      "de",
      [
        ["Zwischensumme", "60.00"],
        ["Porto und Verpackung", "4.90"],
        ["Gesamtbetrag", "64.90"],
      ],
    ],
    [
      "de, von wann",
      [
        ["Summe netto", "60.00"],
        ["Anzahlung vom 1. Juni", "20.00"],
        ["Restbetrag", "40.00"],
      ],
    ],
    [
      "fr",
      [
        ["Total HT", "60.00"],
        ["TVA 20 %", "12.00"],
        ["Total TTC", "72.00"],
        ["Acompte versé", "20.00"],
      ],
    ],
    [
      "es",
      [
        ["Base imponible", "60.00"],
        ["IVA 21 %", "12.60"],
        ["Total factura", "72.60"],
      ],
    ],
    [
      "nl",
      [
        ["Subtotaal", "60.00"],
        ["Btw 21%", "12.60"],
        ["Totaal incl. btw", "72.60"],
      ],
    ],
    [
      "a sum under another name",
      [
        ["Total for March", "60.00"],
        ["Handling of the order", "3.00"],
      ],
    ],
  ] as [string, Row[]][])("end the list (%s)", (_, sums) => {
    expect(itemsOf([...items, ...sums])).toEqual(names(items));
  });

  it.each(["Σύνολο / Total:", "Montant exonéré :"])("end the list where %j stands right of other text", (label) => {
    const page = new PageMaker();
    grid(page, 1, [1, -7], [["Item", "Price"], ...PLAIN]);
    const top = 1 + (PLAIN.length + 1) * 0.25;
    page.text(1, top, "One hundred ten euros").text(4, top, label).text(7, top, "110.00", { align: "right" });
    const { result } = extractOffline(page.layout(), { schema: parseSchema(SCHEMA), granularity: "auto" });
    expect((result as { rows: { item: string }[] }).rows.map(({ item }) => item)).toEqual(names(PLAIN));
  });

  it("separate sections with sums of their own, and end the list at the total", () => {
    const rows: Row[] = [
      ...items,
      ["Subtotal", "60.00"],
      ["Desk", "110.00"],
      ["Chair", "90.00"],
      ["Subtotal", "200.00"],
      ["Total", "260.00"],
      ["Assembly by hand", "15.00"],
    ];
    expect(itemsOf(rows)).toEqual(["Pump", "Hose", "Desk", "Chair"]);
  });
});

describe("a list of two columns over pages", () => {
  it("continues after an item named like a total and across pages, with or without a new header", () => {
    for (const heading of [[["Item", "Price"]], []]) {
      const page = new PageMaker();
      grid(page, 1, [1, -5], [["Item", "Price"], ...PLAIN.slice(0, 5), ["Porto", "7.25"]]);
      page.text(3, 11, "Page 1 of 2").newPage();
      grid(page, 1, [1, -5], [...heading, ...PLAIN.slice(5)]);
      const { result } = extractOffline(page.layout(), { schema: parseSchema(SCHEMA), granularity: "auto" });
      const items = (result as { rows: { item: string }[] }).rows.map(({ item }) => item);
      expect(items).toEqual(names([...PLAIN.slice(0, 5), ["Porto", "7.25"], ...PLAIN.slice(5)]));
    }
  });
});

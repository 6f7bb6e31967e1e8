import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { generateSchema } from "../../../../../functions/engine/extraction/describe/generate-schema.ts";
import {
  described,
  freeName,
  snakeCase,
  typeOfValue,
  typeOfValues,
} from "../../../../../functions/engine/extraction/describe/schema-properties.ts";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import type { Layout, TableBlock } from "../../../../../functions/ports/layout.ts";
import { PageMaker } from "../page.ts";
import { grid } from "../rules/invoices/sample.ts";

type Members = Record<string, Json>;
const membersOf = (value: Json | undefined): Members => (value ?? {}) as Members;
const propertiesOf = (schema: Json): Members => membersOf(membersOf(schema).properties);

const invoice = (): Layout => {
  const page = new PageMaker()
    .text(1, 0.8, "RECHNUNG", { size: 20 })
    .lines(1, 1.4, ["Muster GmbH", "Seeweg 7", "50667 Köln"])
    .text(5, 1.4, "Rechnungsnummer: 2024-17")
    .text(5, 1.7, "Rechnungsdatum: 05.03.2024")
    .text(5, 2.0, "Kennzeichen: K-AB 123")
    .text(5, 2.3, "Laufleistung: 12.345,5")
    .text(5, 2.6, "Übergabe am: 06.03.2024");
  grid(
    page,
    4,
    [1, 4, 5, 6.5],
    [
      ["Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
      ["Reifen", "4", "100,00", "400,00"],
      ["Öl", "2", "25,00", "50,00"],
    ],
  );
  return page.text(5, 6, "Gesamtbetrag").text(6.5, 6, "450,00 EUR").layout();
};

describe("schema properties", () => {
  it("are named by labels in snake_case", () => {
    expect(["Rechnungs-Nr. (intern):", "Größe", "2. Name", "–", "Date de l'échéance"].map(snakeCase)).toEqual([
      "rechnungs_nr_intern",
      "grosse",
      "n_2_name",
      "",
      "date_de_l_echeance",
    ]);
    expect(snakeCase("a very long label that goes on and on without an end in sight").length).toBeLessThanOrEqual(40);
    expect(freeName("a", new Set(["a", "a_2"]))).toBe("a_3");
    expect(described({ type: "string" }, "Invoice no. :")).toEqual({ type: "string", description: "Invoice no." });
  });

  it.each<[string, Members]>([
    ["2024-03-05", { type: "string", format: "date" }],
    ["5. März 2024", { type: "string", format: "date" }],
    ["1.234,50", { type: "number" }],
    ["12 %", { type: "number" }],
    ["EUR 5", { type: "number" }],
    ["42", { type: "integer" }],
    ["00042", { type: "string" }],
    ["123456789", { type: "string" }],
    ["a@example.org", { type: "string", format: "email" }],
    ["https://example.org/x", { type: "string", format: "uri" }],
    ["ja", { type: "boolean" }],
    ["5 Stück", { type: "string" }],
  ])("have the type of the value %j", (value, type) => {
    expect(typeOfValue(value, { notation: "comma", order: "day-first" })).toEqual(type);
  });

  it("have the common type of a column", () => {
    const types = (...values: string[]) => typeOfValues(values, { notation: "point", order: "day-first" });
    expect(types("1", "2.5", "")).toEqual({ type: "number" });
    expect(types("1", "x")).toEqual({ type: "string" });
    expect(types()).toEqual({ type: "string" });
  });
});

describe("generateSchema", () => {
  it("names the document's values, with their labels", () => {
    const properties = propertiesOf(generateSchema(invoice()));
    expect(properties).toMatchObject({
      invoice_number: { type: "string", description: "Rechnungsnummer" },
      issue_date: { type: "string", format: "date", description: "Rechnungsdatum" },
      gross_total: { type: "number", description: "Gesamtbetrag" },
      kennzeichen: { type: "string", description: "Kennzeichen" },
      laufleistung: { type: "number", description: "Laufleistung" },
      ubergabe_am: { type: "string", format: "date", description: "Übergabe am" },
      line_items: {
        type: "array",
        items: {
          properties: {
            item_description: { type: "string" },
            quantity: { type: "number" },
            unit_price: { type: "number" },
          },
        },
      },
    });
    expect(Object.keys(properties).every((name) => /^[a-z][a-z0-9_]*$/.test(name))).toBe(true);
  });

  it("gives a schema that the extractor fills with valid values", () => {
    const schema = generateSchema(invoice());
    const result = membersOf(extractOffline(invoice(), { schema: parseSchema(schema), granularity: "auto" }).result);
    const names = Object.keys(propertiesOf(schema));
    const filled = names.filter((name) => result[name] !== null && result[name] !== undefined);
    expect(filled.length).toBeGreaterThanOrEqual(0.8 * names.length);
    const ajv = new Ajv2020({ strict: true });
    addFormats.default(ajv);
    const stated = Object.fromEntries(filled.map((name) => [name, result[name]]));
    expect(ajv.validate(membersOf(schema), stated), ajv.errorsText()).toBe(true);
  });

  it("is deterministic, and open for an empty page", () => {
    expect(generateSchema(invoice())).toEqual(generateSchema(invoice()));
    expect(propertiesOf(generateSchema(new PageMaker().layout()))).toEqual({});
  });

  it("includes concepts of the instructions, shown or not", () => {
    const properties = propertiesOf(generateSchema(invoice(), "Invoice number, IBAN and due date"));
    expect(properties).toMatchObject({
      invoice_number: { description: "Rechnungsnummer" },
      iban: { type: "string", description: "IBAN" },
      due_date: { type: "string", format: "date" },
    });
  });

  it("leaves out sentences that end with a colon", () => {
    const page = new PageMaker().text(1, 1, "He looked at the house and said to all of them: never again");
    expect(propertiesOf(generateSchema(page.layout()))).toEqual({});
  });

  it("uses a table's own headers when the vocabulary knows none of them", () => {
    const rows = [
      ["River", "Length km", "Measured"],
      ["Rhine", "1233", "01.02.2020"],
      ["Aare", "288", "03.02.2020"],
    ];
    const cells: TableBlock["cells"] = rows.flatMap((texts, row) =>
      texts.map((text, column) => {
        const box = { left: 1 + 2 * column, right: 2.8 + 2 * column, top: 2 + 0.3 * row, bottom: 2.2 + 0.3 * row };
        const words = text.split(" ").map((word, at) => ({
          text: word,
          box: { ...box, left: box.left + 0.6 * at, right: box.left + 0.6 * at + 0.5 },
        }));
        return { row, column, rowSpan: 1, columnSpan: 1, box, lines: [{ box, words }] };
      }),
    );
    const layout = new PageMaker().layout();
    const box = { left: 1, top: 2, right: 7, bottom: 3 };
    layout.pages[0]?.blocks.push({ kind: "table", box, rows: 3, columns: 3, headerRows: 1, cells });
    expect(propertiesOf(generateSchema(layout)).rows).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: {
          river: { type: "string", description: "River" },
          length_km: { type: "integer", description: "Length km" },
          measured: { type: "string", format: "date", description: "Measured" },
        },
      },
    });
  });
});

import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";
import { grid } from "./invoices/sample.ts";

function general(draw: (page: PageMaker) => void, schema?: Json): Record<string, Json> {
  const page = new PageMaker();
  draw(page);
  const { result } = extractOffline(page.layout(), {
    granularity: "auto",
    prompt: "What is this?",
    ...(schema === undefined ? {} : { schema: parseSchema(schema) }),
  });
  return result as Record<string, Json>;
}

describe("the general result", () => {
  it("has the four members for every page", () => {
    expect(general(() => undefined)).toEqual({ document_type: null, language: null, key_values: {}, tables: [] });
  });

  it.each([
    ["INVOICE", "invoice"],
    ["Tax Invoice", "invoice"],
    ["Schlussrechnung", "invoice"],
    ["CREDIT NOTE", "credit note"],
    ["Quittung", "receipt"],
    ["Mietvertrag", "contract"],
    ["Service Agreement", "contract"],
    ["Annual Report 2023", "report"],
    ["Lieferschein", "delivery note"],
    ["Devis n° 12", "quote"],
  ])("recognises %j at the top as a %s", (title, type) => {
    expect(
      general((page) => page.text(1, 0.8, title, { size: 20 }).text(1, 3, "Some text below it.")).document_type,
    ).toBe(type);
  });

  it("recognises a letter by its salutation", () => {
    expect(general((page) => page.text(1, 3, "Sehr geehrte Frau Köhn,")).document_type).toBe("letter");
    expect(
      general((page) => page.text(1, 3, "the invoice was lost in the post and nobody knows where it went"))
        .document_type,
    ).toBeNull();
  });

  it("lists labelled values as printed, keys once", () => {
    const { key_values } = general((page) => {
      page.text(1, 1, "Invoice No: 4711").text(1, 1.2, "Date: 03/04/2024");
      page.text(1, 1.6, "Phone:").text(3, 1.6, "030 1234567");
      page.text(1, 2, "Total").text(3, 2, "12,00 €");
      page.text(1, 2.4, "Due date").text(3, 2.4, "04.05.2024");
      page.text(1, 2.8, "Date: 05/04/2024").text(1, 3.2, "See https://a.example/b at 12:30 o'clock");
    });
    expect(key_values).toEqual({
      "Invoice No": "4711",
      Date: "03/04/2024",
      Phone: "030 1234567",
      "Due date": "04.05.2024",
      "Date (2)": "05/04/2024",
    });
  });

  it("finds tables of aligned cells", () => {
    const { tables } = general((page) =>
      grid(
        page,
        2,
        [1, 3, -7],
        [
          ["Bird", "Place", "Count"],
          ["Kestrel", "Moor", "7"],
          ["Heron", "Lake", "12"],
        ],
      ),
    );
    expect(tables).toEqual([
      {
        page: 1,
        rows: [
          ["Bird", "Place", "Count"],
          ["Kestrel", "Moor", "7"],
          ["Heron", "Lake", "12"],
        ],
      },
    ]);
  });

  it("stops at two hundred values", () => {
    const { key_values } = general((page) => {
      for (let line = 0; line < 260; line += 1) page.text(1, line * 0.2, `Reading ${line}: ${line} volts`);
    });
    expect(Object.keys(key_values as object)).toHaveLength(200);
  });

  it.each<[string, Json]>([
    ["true", true],
    ["{}", {}],
    ["an open object", { type: "object" }],
  ])("answers an open schema of %s", (_, schema) => {
    expect(Object.keys(general(() => undefined, schema))).toEqual([
      "document_type",
      "language",
      "key_values",
      "tables",
    ]);
  });
});

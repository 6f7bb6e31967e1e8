import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../../functions/engine/schema/parsed-schema.ts";
import { isTitle } from "../../../../../../functions/engine/values/party-names.ts";
import type { Json } from "../../../../../../functions/ports/json.ts";
import { PageMaker } from "../../page.ts";

const schema: Json = { type: "object", properties: { seller: { type: "string" }, buyer: { type: "string" } } };

function read(...lines: string[]): Json {
  const page = new PageMaker();
  page.text(1, 0.5, "FACTURA N° 128", { size: 14 });
  for (const [at, line] of lines.entries()) page.text(1, 1 + at * 0.5, line);
  return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
}

describe("names behind labels, under no party's heading", () => {
  it("are the sender's, then the recipient's", () => {
    expect(
      read("Razón Social: Talleres Pampa", "Fecha: 18/02/2023", "Apellido y Nombre / Razón Social: Luis Ramón"),
    ).toEqual({ seller: "Talleres Pampa", buyer: "Luis Ramón" });
  });

  it("are the recipient's where there is one, and the sender's where the recipient has a heading", () => {
    expect(read("RAZON SOCIAL: Seguros Pampa Ltda")).toEqual({ seller: null, buyer: "Seguros Pampa Ltda" });
    expect(read("Razón Social: Talleres Pampa", "Cliente: Luis Ramón")).toEqual({
      seller: "Talleres Pampa",
      buyer: "Luis Ramón",
    });
  });

  it("are not below the columns of the items", () => {
    const page = new PageMaker();
    page.text(1, 0.5, "FAKTURA", { size: 14 }).text(1, 1, "KØBER");
    for (const [row, cells] of [
      ["Beskrivelse", "Antal", "Enhedspris", "Beløb"],
      ["Webdesign - landingsside", "1 stk", "8.000,00", "8.000,00"],
    ].entries())
      for (const [column, cell] of cells.entries()) page.text(1 + column * 2, 1.3 + row * 0.3, cell);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" });
    expect(result).toMatchObject({ buyer: null });
  });
});

describe("the name at the head of a bill", () => {
  it("is the sender's where a heading names the recipient", () => {
    const head = (heading: string): Json => {
      const page = new PageMaker();
      page.text(1, 0.6, "Oscar Anderegg").text(5, 0.6, "FACTURA N° 128").text(1, 2, heading).text(1, 4, "Piso Dpto");
      return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
    };
    expect(head("Cliente: Luis Ramón")).toEqual({ seller: "Oscar Anderegg", buyer: "Luis Ramón" });
    expect(head("Taller")).toMatchObject({ seller: null });
  });
});

describe("isTitle", () => {
  it.each(["Számla/Invoice (Minta)", "Invoice (Copy)", "Faktura / Invoice"])("%j is one", (text) => {
    expect(isTitle(text)).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { Misprints } from "../../../../../functions/engine/values/vocabulary/label-misprints.ts";
import { LABEL_MISPRINTS } from "../../../../../functions/engine/values/vocabulary/vocabulary.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../../extraction/page.ts";

describe("misprints of labels", () => {
  it.each<[string, string | null, string]>([
    ["descripcibn", "descripcion", "another letter"],
    ["lnvoice", "invoice", "another first letter"],
    ["quantty", "quantity", "a letter less"],
    ["quantitty", "quantity", "a letter more"],
    ["invoice", null, "no misprint"],
    ["totai", null, "too short"],
    ["descrlpcibn", null, "two letters"],
    ["qu4ntity", null, "no letter"],
  ])("%s is taken for %s: %s", (word, meant) => {
    expect(LABEL_MISPRINTS.correct(word)).toBe(meant);
  });

  it("leaves a word that two others are like", () => {
    const labels = new Misprints(() => ["Lieferant", "Lieferans"]);
    expect([labels.correct("lieferanx"), labels.correct("lieferannt")]).toEqual([null, "lieferant"]);
  });

  const schema: Json = {
    type: "object",
    properties: {
      invoice_number: { type: "string" },
      items: {
        type: "array",
        items: { type: "object", properties: { description: { type: "string" }, amount: { type: "number" } } },
      },
    },
  };
  const read = (confidence?: number): Json => {
    const page = new PageMaker();
    const recognised = confidence === undefined ? {} : { confidence };
    page.text(1, 1, "lnvoice number:", recognised).text(3, 1, "A-1207", recognised);
    page.text(1, 2, "Descripcibn", recognised).text(3, 2, "Precio", recognised).text(5, 2, "Importe", recognised);
    page.text(1, 2.3, "Agua", recognised).text(3, 2.3, "1,50", recognised).text(5, 2.3, "1,50", recognised);
    page.text(1, 2.6, "Tortilla", recognised).text(3, 2.6, "6,00", recognised).text(5, 2.6, "6,00", recognised);
    return extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result;
  };

  it("are read as what they are misprints of where recognition is unsure, and nowhere else", () => {
    const whole = {
      invoice_number: "A-1207",
      items: [
        { description: "Agua", amount: 1.5 },
        { description: "Tortilla", amount: 6 },
      ],
    };
    expect(read(0.5)).toEqual(whole);
    expect(read(0.97)).not.toEqual(whole);
    expect(read()).not.toEqual(whole);
  });
});

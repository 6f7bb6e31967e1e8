/** A check against tuning to the corpus: invoices of layouts and languages drawn by our own code. */

import { beforeAll, describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { type Generated, generateInvoice, LAYOUTS } from "../../../../support/invoices/generate.ts";
import type { Tongue } from "../../../../support/invoices/words.ts";

const TONGUES: readonly Tongue[] = ["en", "de", "fr", "es", "nl"];
const text: Json = { type: "string" };
const date: Json = { type: "string", format: "date" };
const sum: Json = { type: "number" };
const SCHEMA: Json = {
  type: "object",
  properties: {
    invoice_number: text,
    issue_date: date,
    due_date: date,
    seller: text,
    buyer: text,
    currency: text,
    net_total: sum,
    tax_total: sum,
    gross_total: sum,
    lines: {
      type: "array",
      items: { type: "object", properties: { description: text, quantity: sum, unit_price: sum, amount: sum } },
    },
  },
};

interface Tally {
  right: number;
  returned: number;
  stated: number;
}

const leavesOf = (value: Json, pointer = ""): [string, Json][] =>
  value === null || typeof value !== "object"
    ? [[pointer, value]]
    : Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${pointer}/${name}`));

async function tally(documents: readonly Generated[]): Promise<{ all: Tally; items: Tally; misses: string[] }> {
  const [all, items] = [0, 1].map((): Tally => ({ right: 0, returned: 0, stated: 0 })) as [Tally, Tally];
  const misses: string[] = [];
  for (const { name, bytes, truth } of documents) {
    const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
    const { result } = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "auto" });
    const got = new Map(leavesOf(result));
    const wanted = new Map(leavesOf({ ...truth, lines: truth.lines.map((line) => ({ ...line })) }));
    for (const [pointer, value] of got) {
      const into = pointer.startsWith("/lines") ? items : all;
      if (value !== null) into.returned += 1;
    }
    for (const [pointer, value] of wanted) {
      const into = pointer.startsWith("/lines") ? items : all;
      const found = got.get(pointer) ?? null;
      // A second line of the cell is part of a description, and none of its beginning.
      const longer = pointer.endsWith("/description") && String(found).startsWith(`${value} `);
      into.stated += 1;
      if (found === value || longer) into.right += 1;
      else misses.push(`${name} ${pointer}: ${JSON.stringify(value)}, got ${JSON.stringify(got.get(pointer) ?? null)}`);
    }
  }
  return { all, items, misses };
}

const KINDS: Json = {
  type: "object",
  properties: { document_type: { enum: ["invoice", "safety_data_sheet", "other"] } },
};

describe("invoices of five layouts in five languages", () => {
  const documents: Generated[] = [];
  beforeAll(async () => {
    for (const [at, layout] of LAYOUTS.entries())
      for (const [of, tongue] of TONGUES.entries())
        for (const credit of [false, true])
          documents.push(await generateInvoice(layout, tongue, at * 10 + of + (credit ? 100 : 0), credit));
  });

  it("reach the corpus' recall and precision, credit notes included", async () => {
    const { all, items, misses } = await tally(documents);
    const shown = misses.join("\n");
    expect(all.right / all.stated, shown).toBeGreaterThanOrEqual(0.97);
    expect(all.right / all.returned, shown).toBeGreaterThanOrEqual(0.97);
    expect(items.right / items.stated, shown).toBeGreaterThanOrEqual(0.97);
    expect(items.right / items.returned, shown).toBeGreaterThanOrEqual(0.97);
  });

  it("are typed as invoices, credit notes included", async () => {
    const misses: string[] = [];
    for (const { name, bytes } of documents) {
      const { layout } = await readDocument(bytes, { mimeType: "application/pdf" });
      const { result } = extractOffline(layout, { schema: parseSchema(KINDS), granularity: "auto" });
      const { document_type } = result as Record<string, Json>;
      if (document_type !== "invoice") misses.push(`${name}: ${document_type}`);
    }
    expect(misses).toEqual([]);
  });
});

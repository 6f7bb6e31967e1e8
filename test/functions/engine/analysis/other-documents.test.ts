import { describe, expect, it } from "vitest";
import { openFields } from "../../../../functions/engine/analysis/open-fields.ts";
import { adoptEvidence, type OtherPages } from "../../../../functions/engine/analysis/other-documents.ts";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { readDocument } from "../../../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json, JsonObject } from "../../../../functions/ports/json.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    customer_number: { type: "string", description: "Given in the contract" },
    total: { type: "number" },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
    sum: { type: "number", "x-docudevs": { fieldType: "calculated", dependsOn: ["total"], formula: {} } },
  },
};
const GRANULARITY = "auto" as const;

const layoutOf = async (text: string): Promise<Layout> =>
  (await readDocument(Buffer.from(text), { mimeType: "text/plain" })).layout;
const INVOICE = "Invoice Number: INV-2041\nTotal: 12.50\n";
const other = async (documentId: string, text: string): Promise<OtherPages> => ({
  document: { caseId: 7, documentId, filename: `${documentId}.txt` },
  layout: await layoutOf(text),
});

async function invoice() {
  const { result, sources } = extractOffline(await layoutOf(INVOICE), {
    schema: parseSchema(SCHEMA),
    granularity: GRANULARITY,
  });
  return { result, sources };
}

describe("open fields", () => {
  it("are the null scalars of the document, outside of lists and formulas, as questions", async () => {
    const { result, sources } = await invoice();
    expect(openFields(result, sources, parseSchema(SCHEMA))).toEqual([
      { pointer: "/customer_number", question: "customer number Given in the contract" },
    ]);
  });
});

describe("evidence of other documents", () => {
  const request = { granularity: GRANULARITY, schema: parseSchema(SCHEMA), minConfidence: 0.3 };

  it("fills null fields from the first document that tells them, and names it", async () => {
    const { result, sources } = await invoice();
    const others = [
      await other("nothing", "Dear Sir or Madam\n"),
      await other("second", "Customer Number: C-2\n"),
      await other("first", "Customer Number: C-1\n"),
    ];
    const fields = [{ pointer: "/customer_number", documents: ["nothing", "first", "second"] }];
    const done = adoptEvidence(result, sources, others, { ...request, purpose: "fill", fields });
    expect(done.result).toMatchObject({ invoice_number: "INV-2041", customer_number: "C-1", total: 12.5 });
    expect(done.adopted).toEqual([{ pointer: "/customer_number", documentId: "first" }]);
    expect(done.sources.locations["/customer_number"]).toMatchObject({
      pageAnchors: [],
      sourceRefs: [],
      document: { caseId: 7, documentId: "first", filename: "first.txt", pageAnchors: [{ pageNumber: 1 }] },
    });
    expect(done.sources.unresolved.map(({ pointer }) => pointer)).not.toContain("/customer_number");
  });

  it("changes no value that the document prints, and fills none that is less sure than asked for", async () => {
    const { result, sources } = await invoice();
    const others = [await other("a", "Invoice Number: INV-9999\nCustomer Number: C-1\n")];
    const fields = [
      { pointer: "/invoice_number", documents: ["a"] },
      { pointer: "/customer_number", documents: ["a"] },
    ];
    const strict = { ...request, minConfidence: 1.1, purpose: "fill" as const, fields };
    const done = adoptEvidence(result, sources, others, strict);
    expect(done.adopted).toEqual([]);
    expect(done.result).toMatchObject({ invoice_number: "INV-2041", customer_number: null });
    const filled = adoptEvidence(result, sources, others, { ...strict, minConfidence: 0.3 });
    expect(filled.result).toMatchObject({ invoice_number: "INV-2041", customer_number: "C-1" });
  });

  it("places a model's value that only another document prints there, and leaves the rest unresolved", async () => {
    const layout = await layoutOf(INVOICE);
    const data: Json = { invoice_number: "INV-2041", customer_number: "C-77123", total: 99.17 };
    const { sources } = locateValues(layout, data, { granularity: GRANULARITY, schema: parseSchema(SCHEMA) });
    const others = [await other("a", "The customer has the number C-77123 with us.\n")];
    const done = adoptEvidence(data, sources, others, { ...request, minConfidence: 0, purpose: "locate" });
    expect(done.result).toEqual(data);
    expect(done.adopted).toEqual([{ pointer: "/customer_number", documentId: "a" }]);
    expect(done.sources.locations["/invoice_number"]).not.toHaveProperty("document");
    expect(done.sources.unresolved.map(({ pointer }) => pointer)).toContain("/total");
  });
});

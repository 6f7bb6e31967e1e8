import { describe, expect, it } from "vitest";
import { judgeResult } from "../../../../functions/engine/confidence/judge-result.ts";
import { extractOffline } from "../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import { PageMaker } from "../extraction/page.ts";

function confidencesOf(lines: readonly string[], schema?: Json) {
  const page = new PageMaker();
  for (const [at, line] of lines.entries()) page.text(1, 1 + at * 0.4, line);
  const layout = page.layout();
  const asked = schema === undefined ? {} : { schema: parseSchema(schema) };
  const { result, sources } = extractOffline(layout, { ...asked, granularity: "word" });
  const { locations } = judgeResult({ layout, result, sources, ...asked }).sources;
  return { result, confidenceOf: (pointer: string) => locations[pointer]?.confidence };
}

describe("the confidence of values without a label", () => {
  it("is high for a document's type that was read from the title", () => {
    const { result, confidenceOf } = confidencesOf(["Rechnung", "Harbour Works", "Nummer: 4711"]);
    expect(result).toMatchObject({ document_type: "invoice" });
    expect(confidenceOf("/document_type")).toBeGreaterThan(0.8);
  });

  it("is high for the only date of a bill, and lower for the only date of another document", () => {
    const schema = { type: "object", properties: { issue_date: { type: "string", format: "date" } } };
    const date = "Harbour Works, 12 March 2026";
    const bill = confidencesOf([date, "Invoice number: HW-7701", "Total: 12.50 EUR"], schema);
    expect(bill.result).toEqual({ issue_date: "2026-03-12" });
    expect(bill.confidenceOf("/issue_date")).toBeGreaterThan(0.7);
    const letter = confidencesOf(["Harbour Works", "12 March 2026", "The pier is closed."], schema);
    expect(letter.result).toEqual({ issue_date: "2026-03-12" });
    expect(letter.confidenceOf("/issue_date")).toBeLessThan(0.6);
  });

  it("is that of the printed label for the second value of a label", () => {
    const { result, confidenceOf } = confidencesOf(["Phone: 111-222-3333", "The pier", "Phone: 111-222-4444"]);
    expect(result).toMatchObject({ key_values: { "Phone (2)": "111-222-4444" } });
    expect(confidenceOf("/key_values/Phone (2)")).toBeGreaterThan(0.7);
  });
});

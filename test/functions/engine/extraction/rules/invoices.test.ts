import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";
import { ENGLISH } from "./invoices/english.ts";
import { GERMAN } from "./invoices/german.ts";
import { OTHERS } from "./invoices/others.ts";
import { ROMANCE } from "./invoices/romance.ts";
import type { Sample } from "./invoices/sample.ts";

const text = (description: string): Json => ({ type: "string", description });
const date = (description: string): Json => ({ type: "string", format: "date", description });
const sum = (description: string): Json => ({ type: "number", description });
const SCHEMA: Json = {
  type: "object",
  properties: {
    invoice_number: text("The number of the invoice"),
    issue_date: date("When it was issued"),
    due_date: date("When it is to be paid"),
    seller: text("Who issued it"),
    buyer: text("Who is to pay it"),
    currency: text("ISO 4217 code"),
    net_total: sum("Total before tax"),
    tax_total: sum("Total tax"),
    gross_total: sum("Total with tax"),
    amount_due: sum("What is still to be paid"),
  },
};

const SAMPLES: Sample[] = [...GERMAN, ...ENGLISH, ...ROMANCE, ...OTHERS];

interface Tally {
  right: number;
  returned: number;
  stated: number;
  misses: string[];
}

function tally(samples: readonly Sample[]): Tally {
  const total: Tally = { right: 0, returned: 0, stated: 0, misses: [] };
  for (const { name, draw, expected } of samples) {
    const page = new PageMaker();
    draw(page);
    const { result } = extractOffline(page.layout(), { schema: parseSchema(SCHEMA), granularity: "auto" });
    const got = new Map(Object.entries(result as Record<string, Json>));
    for (const [key, value] of Object.entries(expected)) {
      const found = got.get(key) ?? null;
      total.stated += 1;
      if (found !== null) total.returned += 1;
      if (found === value) total.right += 1;
      else total.misses.push(`${name} ${key}: expected ${value}, got ${String(found)}`);
    }
  }
  return total;
}

describe("extractOffline on invented invoices in six languages", () => {
  it("has at least twenty of them", () => {
    expect(SAMPLES.length).toBeGreaterThanOrEqual(20);
    expect(new Set(SAMPLES.map(({ name }) => name)).size).toBe(SAMPLES.length);
  });

  it("reaches recall 0.95 and precision 0.97", () => {
    const { right, returned, stated, misses } = tally(SAMPLES);
    expect(right / stated, misses.join("\n")).toBeGreaterThanOrEqual(0.95);
    expect(right / returned, misses.join("\n")).toBeGreaterThanOrEqual(0.97);
  });

  it.each(SAMPLES.map((sample) => [sample.name, sample] as const))("%s: at most one value missed", (_, sample) => {
    expect(tally([sample]).misses.length).toBeLessThanOrEqual(1);
  });
});

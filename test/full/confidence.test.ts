/** Judging long tables takes seconds, and twice the rows take about twice the time. */

import { describe, expect, it } from "vitest";
import { judgeResult } from "../../functions/engine/confidence/judge-result.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { parseSchema } from "../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../functions/ports/json.ts";

const SCHEMA: Json = {
  type: "object",
  properties: {
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: {
          no: { type: "integer" },
          date: { type: "string", format: "date" },
          reference: { type: "string" },
          party: { type: "string" },
          quantity: { type: "number" },
          amount: { type: "number" },
        },
      },
    },
  },
};

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    no: at + 1,
    date: `2024-${String((at % 12) + 1).padStart(2, "0")}-${String((at % 28) + 1).padStart(2, "0")}`,
    reference: `R${100_000 + at * 7}`,
    party: ["Ada", "Blue Kiln", "Cole Sons", "Dunes"][at % 4] ?? "",
    quantity: (at % 9) + 1,
    amount: Number((((at * 37) % 9000) / 7 + 1).toFixed(2)),
  }));

/** Judges a table. @returns CPU milliseconds and the result */
async function judgeTable(count: number) {
  const rows = rowsOf(count);
  const csv = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((row) => row.join(","))
    .join("\n");
  const { layout } = await readDocument(new TextEncoder().encode(csv), { mimeType: "text/csv" });
  const { sources } = locateValues(layout, { rows }, { schema: parseSchema(SCHEMA), granularity: "auto" });
  const second = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "auto" });
  const before = process.cpuUsage();
  const judged = judgeResult({ layout, result: { rows }, schema: parseSchema(SCHEMA), sources, second });
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: (user + system) / 1_000, judged };
}

describe("judging the confidence of long tables", () => {
  it("takes seconds for 6,400 rows of six columns, in linear time", { timeout: 120_000 }, async () => {
    await judgeTable(400);
    const half = await judgeTable(3_200);
    const whole = await judgeTable(6_400);
    console.info(`judged in ${half.milliseconds.toFixed(0)} and ${whole.milliseconds.toFixed(0)} ms`);
    expect(whole.milliseconds).toBeLessThan(20_000);
    expect(whole.milliseconds / half.milliseconds).toBeLessThan(3.5);
    expect(Object.keys(whole.judged.sources.locations)).toHaveLength(38_400);
    expect(whole.judged.confidence).toBeGreaterThan(0.5);
  });
});

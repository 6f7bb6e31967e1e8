import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { PageMaker } from "../page.ts";
import { grid } from "./invoices/sample.ts";

const COUNT = 12;

function pageOf(heading: string[], rows: string[][]): PageMaker {
  const page = new PageMaker();
  page.text(1, 0.6, "Overview 2024");
  grid(page, 1, [1, -5], [heading, ...rows]);
  return page;
}

const KEYS: [string, string, (index: number) => string][] = [
  ["en: dates", "Day", (index) => `2024-03-${String(index + 1).padStart(2, "0")}`],
  ["de: Jahre", "Jahr", (index) => String(1990 + index)],
  ["fr: nombres entiers", "Numéro de salle", (index) => String(4000 + 7 * index)],
  ["es: fechas", "Fecha", (index) => `${index + 1}/03/2024`],
  ["nl: namen", "Naam", (index) => `Jansen ${String.fromCharCode(65 + index)}.`],
];
const VALUES: [string, string, (index: number) => [string, number]][] = [
  ["%", "Value", (index) => [`${3 * index + 1} %`, 3 * index + 1]],
  ["%, decimals", "Amount", (index) => [`${index + 1}.5%`, index + 1.5]],
  ["integers", "Count", (index) => [String(17 * index + 2), 17 * index + 2]],
  ["money", "Total", (index) => [(index * 3.3 + 4.05).toFixed(2), Number((index * 3.3 + 4.05).toFixed(2))]],
];

describe("a headed list of two columns", () => {
  it.each(
    KEYS.flatMap(([name, key, keyAt]) =>
      VALUES.map(([kind, value, valueAt]) => [`${name}, ${kind}`, key, keyAt, value, valueAt] as const),
    ),
  )("gives its rows (%s)", (_, key, keyAt, value, valueAt) => {
    const indexes = Array.from({ length: COUNT }, (__, index) => index);
    const page = pageOf(
      [key, value],
      indexes.map((index) => [keyAt(index), valueAt(index)[0]]),
    );
    const schema: Json = {
      type: "object",
      properties: {
        entries: {
          type: "array",
          items: { type: "object", properties: { [key]: { type: "string" }, [value]: { type: "number" } } },
        },
      },
    };
    const { entries } = extractOffline(page.layout(), { schema: parseSchema(schema), granularity: "auto" }).result as {
      entries: Json[];
    };
    const isDay = key === "Day" || key === "Fecha";
    expect(entries).toHaveLength(COUNT);
    for (const [index, entry] of entries.entries())
      expect(entry).toMatchObject({ [value]: valueAt(index)[1], ...(isDay ? {} : { [key]: keyAt(index) }) });
  });
});

describe("tables of two columns without a schema", () => {
  const tablesOf = (page: PageMaker): Json =>
    (extractOffline(page.layout(), { granularity: "auto" }).result as { tables: Json }).tables;

  it("are found by a heading over values all the way down", () => {
    const rows = Array.from({ length: COUNT }, (_, index) => [
      `Pupil ${String.fromCharCode(65 + index)}`,
      String(1 + (index % 5)),
    ]);
    expect(tablesOf(pageOf(["Student", "Grade"], rows))).toEqual([{ page: 1, rows: [["Student", "Grade"], ...rows] }]);
  });

  it("are not made of labels with values, or of words", () => {
    const labelled = [
      ["Date:", "1 May 2024"],
      ["Number:", "4711"],
      ["Weight:", "12 kg"],
      ["Height:", "88 cm"],
      ["Age:", "7"],
      ["Floor:", "3"],
    ];
    expect(tablesOf(pageOf(["Details:", "Values"], labelled))).toEqual([]);
    const words = Array.from({ length: COUNT }, (_, index) => [`Word ${index}`, "another word"]);
    expect(tablesOf(pageOf(["One", "Other"], words))).toEqual([]);
  });

  it("are not made of totals without a heading", () => {
    const sums = [
      ["Net", "10.00"],
      ["Tax", "2.00"],
      ["Gross", "12.00"],
      ["Paid", "5.00"],
      ["Open", "7.00"],
    ];
    const page = new PageMaker();
    grid(page, 1, [1, -5], sums);
    expect(tablesOf(page)).toEqual([]);
  });
});

/** Rows that differ from their neighbours in one value: a copy of one is no proof of the other. */
import { describe, expect, it } from "vitest";
import { run as missingRows } from "../../../../functions/engine/tasks/missing-rows.run.ts";
import type { Layout } from "../../../../functions/ports/layout.ts";
import { bytesOf, type Line, linesOf, pagesOf, printed, receiptsOf, SCHEMA } from "./tables.ts";

const BASE = linesOf(10);
/** Like row 4, except for its amount. */
const NEAR: Line = { ...(BASE[4] as Line), amount: 871.25 };
/** All rows as printed: `NEAR` stands before row 4. */
const LINES = [...BASE.slice(0, 4), NEAR, ...BASE.slice(4)];
const layout = pagesOf(LINES.map(printed));

/** The same page, recognised in a picture. */
const recognised: Layout = JSON.parse(JSON.stringify(layout), (key, value) =>
  key === "words" ? value.map((word: object) => ({ ...word, source: "ocr", confidence: 0.8 })) : value,
);

describe("reconcile, with two rows that differ in one value", () => {
  it.each([
    ["typed", layout],
    ["recognised", recognised],
  ])("reports a row as missing where the result has the other one twice: %s", (_, page) => {
    const lines = LINES.map((line) => (line === NEAR ? (BASE[4] as Line) : line));
    const [receipt] = receiptsOf(page, { lines });
    expect(receipt?.missing.map(({ text }) => text)).toEqual([printed(NEAR).join(" | ")]);
    expect(receipt).toMatchObject({ returned: 10, repeated: { length: 1 } });
  });

  it.each([
    ["the first", NEAR],
    ["the second", BASE[4] as Line],
  ])("reports the missing one of the two: %s", (_, gone) => {
    const [receipt] = receiptsOf(layout, { lines: LINES.filter((line) => line !== gone) });
    expect(receipt?.missing.map(({ text }) => text)).toEqual([printed(gone).join(" | ")]);
    expect(receiptsOf(layout, { lines: LINES })[0]).toMatchObject({ returned: 11, missing: [], repeated: [] });
  });

  it("keeps both items where recognition misread the value that tells the rows apart", () => {
    // Both rows are printed alike; recognition misread a digit in the amount of the second.
    const twice = pagesOf([...BASE.slice(0, 5), BASE[4] as Line, ...BASE.slice(5)].map(printed));
    let seen = 0;
    const amount = (BASE[4] as Line).amount.toFixed(2);
    const misread: Layout = JSON.parse(JSON.stringify(twice), (key, value) => {
      if (key === "words")
        return value.map((word: { text: string }) => {
          const spoiled = word.text === amount && ++seen === 2 ? `${amount.slice(0, -1)}B` : word.text;
          return { ...word, text: spoiled, source: "ocr", confidence: 0.8 };
        });
      return value;
    });
    expect(seen).toBe(2);
    const lines = [...BASE.slice(0, 5), BASE[4] as Line, ...BASE.slice(5)];
    expect(receiptsOf(misread, { lines })[0]).toMatchObject({ returned: 11, missing: [], repeated: [] });
  });

  it("reports a row as missing once the item on it proves to be a copy", async () => {
    // It was placed on the row of `NEAR` before row 4 itself was added.
    const data = new TextEncoder().encode(JSON.stringify({ lines: [...BASE.slice(0, 5), ...BASE.slice(4)] }));
    const first = BASE.map((_, at): [string, number] => [`/lines/${at < 5 ? at : at + 1}`, at < 5 ? at : at + 1]);
    const task = { layout: bytesOf(layout), data, schema: SCHEMA, declined: [] };
    const room = { contextTokens: 100_000, answerTokens: 10_000, rows: 100 };
    const { lists } = await missingRows.run({ ...task, room });
    const [row] = lists[0]?.missing ?? [];
    const orderOf = (at: number): number => (row?.order ?? 0) - 4 + at;
    const placed = first.map(([pointer, at]): [string, number] => [pointer, orderOf(at)]);
    const known = { placed, asked: [["/lines/5", orderOf(5)] satisfies [string, number]], open: [orderOf(5)] };
    const again = await missingRows.run({ ...task, room, known });
    expect(again.lists[0]?.missing.map(({ text }) => text)).toEqual([printed(NEAR).join(" | ")]);
    expect(again.lists[0]?.repeated).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { summarize } from "../../../../functions/engine/completeness/completeness-report.ts";
import type { ListReceipt } from "../../../../functions/engine/completeness/list-receipt.ts";
import { locateValues } from "../../../../functions/engine/grounding/locate-values.ts";
import { closeTruncatedRows } from "../../../../functions/engine/schema/json-text.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import { run as receipt } from "../../../../functions/engine/tasks/receipt.run.ts";
import { bytesOf, type Line, linesOf, pagesOf, printed, SCHEMA } from "./tables.ts";

const rows = linesOf(16).map(printed);
const layout = pagesOf(rows.slice(0, 10), rows.slice(10));

async function filled(lines: readonly Line[], prompt?: string) {
  const data = { lines: [...lines] };
  const { sources } = locateValues(layout, data as never, { granularity: "word", schema: parseSchema(SCHEMA) });
  const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
  const request = {
    granularity: "word" as const,
    schema: SCHEMA,
    fill: true,
    ...(prompt === undefined ? {} : { prompt }),
  };
  const answer = await receipt.run({
    layout: bytesOf(layout),
    result: json(data),
    sources: json(sources),
    request,
  });
  const parse = (bytes: Uint8Array | undefined) => bytes && JSON.parse(new TextDecoder().decode(bytes));
  return { ...answer, data: parse(answer.filled?.result), sources: parse(answer.filled?.sources) };
}

describe("fillRows", () => {
  it("reads missing rows by the columns of the known ones, each value with its location", async () => {
    const { data, sources, receipt, short } = await filled(linesOf(16).filter((_, at) => at !== 0 && at !== 12));
    expect(data).toEqual({ lines: linesOf(16) });
    expect(short).toBe(false);
    expect(receipt).toMatchObject({ expected: 16, returned: 16, missing: [] });
    expect(Object.keys(sources.locations)).toHaveLength(64);
    const place = sources.locations["/lines/12/amount"];
    expect(place.pageAnchors[0]).toMatchObject({ pageNumber: 2, unit: "inch" });
    expect(place.sourceRefs).toEqual([expect.stringMatching(/^p2\/w\d+$/)]);
    // The locations behind the added row moved on.
    expect(sources.locations["/lines/15/sku"].sourceRefs[0]).toMatch(/^p2/);
  });

  it("leaves rows missing where the known rows do not determine the columns", async () => {
    const odd = linesOf(16).map((line) => ({ ...line, amount: line.amount * 1.19, name: `about ${line.quantity}` }));
    const { data, short, receipt } = await filled(odd.filter((_, at) => at > 3));
    expect(data).toBeUndefined();
    expect(short).toBe(true);
    expect(receipt?.missingPages).toBe("1");
    const none = await filled([]);
    expect(none.data).toBeUndefined();
    expect(none.receipt).toMatchObject({ expected: 16, returned: 0, missingPages: "1-2" });
  });

  it("adds no rows where the request asks for some rows only", async () => {
    const { data, short, receipt } = await filled(linesOf(10), "only the first page");
    expect(data).toBeUndefined();
    expect(short).toBe(false);
    expect(receipt?.lists[0]).toEqual({
      pointer: "/lines",
      expected: 10,
      returned: 10,
      counted: true,
      restricted: true,
    });
  });
});

describe("summarize", () => {
  const missing = (page: number) => ({
    order: page,
    page,
    box: { left: 1, top: 2.000049, right: 3, bottom: 4 },
    text: "x".repeat(1000),
    list: "/lines",
    at: 0,
  });
  const list = (pages: number[]): ListReceipt => ({
    path: "/lines",
    counted: true,
    restricted: false,
    said: [],
    returned: 7,
    unplaced: 0,
    missing: pages.map(missing),
    repeated: [],
    empty: [],
  });

  it("writes page ranges, and counts rows beyond the listed ones", () => {
    const { receipt, short } = summarize([list([1, 2, 3, 3, 7, 9, 10])]);
    expect(receipt).toMatchObject({ expected: 14, returned: 7, missingPages: "1-3,7,9-10" });
    expect(short).toBe(true);
    const many = summarize([list(Array.from({ length: 9000 }, (_, at) => at * 2))]).receipt;
    expect(many.expected - many.returned).toBe(9000);
    expect(many.missing).toHaveLength(100);
    expect(JSON.stringify(many).length).toBeLessThan(40_000);
  });
});

describe("closeTruncatedRows", () => {
  it("keeps the complete rows of a truncated answer", () => {
    expect(closeTruncatedRows('{"rows": [{"a": "}]"}, {"b": [1, {"c": 2}]}, {"d": "x')).toBe(
      '{"rows": [{"a": "}]"}, {"b": [1, {"c": 2}]}]}',
    );
    expect(closeTruncatedRows('{"rows": [{"a"')).toBe('{"rows":[]}');
    expect(closeTruncatedRows("")).toBe('{"rows":[]}');
  });
});

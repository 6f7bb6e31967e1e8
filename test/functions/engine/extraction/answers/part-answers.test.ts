/** A schema in parts and answers put together; second looks. */

import { describe, expect, it } from "vitest";
import { applyCorrections, readCorrections } from "../../../../../functions/engine/extraction/answers/corrections.ts";
import { findDoubts } from "../../../../../functions/engine/extraction/answers/doubts.ts";
import { mergeAnswers } from "../../../../../functions/engine/extraction/answers/merge-answers.ts";
import {
  type Batch,
  groupBatches,
  halveBatch,
} from "../../../../../functions/engine/extraction/prompts/field-batches.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { run as concludeData } from "../../../../../functions/engine/tasks/conclude-data.run.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const pages = (count: number, words = 20) =>
  Array.from({ length: count }, (_, at) => ({ number: at + 1, text: "word ".repeat(words), scan: false }));
const field = (name: string): [string, Json] => [name, { type: "string" }];
const fields = (count: number, prefix = "f"): Json => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => field(`${prefix}${at}`))),
});
const LINES: Json = { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } };

describe("groupBatches", () => {
  it("groups fields, and takes lists out of their objects", () => {
    const schema: Json = {
      type: "object",
      properties: {
        head: { type: "object", properties: { number: { type: "string" }, lines: LINES } },
        tags: { type: "array", items: { type: "string" } },
        only: { type: "object", properties: { lines: { $ref: "#/$defs/lines" } } },
      },
      required: ["head", "only"],
      $defs: { lines: LINES },
    };
    const batches = groupBatches(parseSchema(schema), pages(2), 16_000);
    expect(batches.map(({ id, kind, names }) => `${id} ${kind} ${names.join(",")}`)).toEqual([
      "fields-1 fields head,tags",
      "rows-1.1 rows head.lines",
      "rows-2.1 rows only.lines",
    ]);
    expect(batches[0]?.schema).toMatchObject({
      type: "object",
      properties: { head: { properties: { number: { type: "string" } } }, tags: {} },
      required: ["head"],
    });
    expect(JSON.stringify(batches[0]?.schema)).not.toContain('"sku":{"type":"string"}}},"required":[]');
    expect(batches[2]?.answer.schema).toMatchObject({
      properties: {
        rows: { items: { properties: { page: {}, row: { properties: { sku: { type: ["string", "null"] } } } } } },
      },
    });
  });

  it("limits groups, and splits large lists by pages that overlap by one", () => {
    const groups = groupBatches(parseSchema(fields(60)), pages(1), 16_000);
    expect(groups.map(({ names }) => names.length)).toEqual([25, 25, 10]);
    const rows = groupBatches(parseSchema({ type: "object", properties: { lines: LINES } }), pages(6, 200), 1_200);
    expect(rows.flatMap(({ own }) => own)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows.length).toBeGreaterThan(2);
    for (const { own, pages: shown } of rows) expect(shown).toEqual(own[0] === 1 ? own : [(own[0] ?? 0) - 1, ...own]);
  });

  it("returns one whole batch for a schema that cannot be split", () => {
    for (const schema of [
      LINES,
      { type: "object" },
      { anyOf: [fields(2), fields(3)] },
      { type: "object", properties: { a: { $ref: "#" }, b: LINES } },
    ] as Json[]) {
      expect(groupBatches(parseSchema(schema), pages(3), 1_000).map(({ kind }) => kind)).toEqual(["whole"]);
    }
  });

  it("halves batches by pages or fields, down to one", () => {
    const [rows] = groupBatches(parseSchema({ type: "object", properties: { lines: LINES } }), pages(3), 16_000);
    const halves = halveBatch(rows as Batch);
    expect(halves?.map(({ own, pages: shown }) => [own, shown])).toEqual([
      [
        [1, 2],
        [1, 2],
      ],
      [[3], [2, 3]],
    ]);
    expect(halveBatch(halves?.[1] as Batch)).toBeUndefined();
    const [group] = groupBatches(parseSchema(fields(3)), pages(1), 16_000);
    expect(halveBatch(group as Batch)?.map(({ id, names }) => `${id} ${names.join(",")}`)).toEqual([
      "fields-1a f0,f1",
      "fields-1b f2",
    ]);
  });
});

const rowsBatch = (id: string, own: number[], shown: number[], path = ["lines"]) => ({
  id,
  kind: "rows" as const,
  path,
  pages: shown,
  own,
  answer: { wrapped: false },
});
const fieldsBatch = (id: string) => ({
  id,
  kind: "fields" as const,
  path: [],
  pages: [1],
  own: [],
  answer: { wrapped: false },
});
const rows = (...list: [number, Json][]): string =>
  JSON.stringify({ rows: list.map(([page, row]) => ({ page, row })) });

describe("mergeAnswers", () => {
  it("joins answers from several pages: the first value wins, lists are put together", () => {
    const ofPages = (id: string, kind: "fields" | "whole", answer: Json) => ({
      batch: { ...fieldsBatch(id), kind },
      text: JSON.stringify(answer),
    });
    const first = { number: "4711", name: "", tags: ["a", "b"], head: { date: null } };
    const second = { number: "4712", name: "Acme", tags: ["b", "c"], head: { date: "2026-01-02" } };
    const joined = { number: "4711", name: "Acme", tags: ["a", "b", "c"], head: { date: "2026-01-02" } };
    for (const kind of ["fields", "whole"] as const) {
      const parts = [ofPages("1", kind, first), ofPages("2", kind, second)];
      expect(mergeAnswers(parts)).toEqual({ data: joined, unread: [], limits: [] });
    }
    const rowsOfPages = [ofPages("1", "whole", [{ sku: 1 }]), ofPages("2", "whole", [{ sku: 1 }, { sku: 2 }])];
    expect(mergeAnswers(rowsOfPages).data).toEqual([{ sku: 1 }, { sku: 1 }, { sku: 2 }]);
  });

  it("joins members, sorts rows by page, and drops duplicate rows", () => {
    const { data, unread } = mergeAnswers([
      { batch: fieldsBatch("a"), text: '{"head":{"number":"1","date":null},"x":1}' },
      { batch: fieldsBatch("b"), text: '```json\n{"head":{"date":"d","number":null}}\n```' },
      {
        batch: rowsBatch("r2", [3, 4], [2, 3, 4]),
        text: rows([2, "late on 2"], [2, "both"], [3, "c"], [4, "d"], [4, "d"]),
      },
      { batch: rowsBatch("r1", [1, 2], [1, 2]), text: rows([1, "a"], [2, "both"]) },
      { batch: rowsBatch("s1", [1], [1], ["head", "deep", "list"]), text: rows([1, { q: 1 }]) },
    ]);
    expect(unread).toEqual([]);
    expect(data).toEqual({
      head: { number: "1", date: "d", deep: { list: [{ q: 1 }] } },
      x: 1,
      lines: ["a", "late on 2", "both", "c", "d", "d"],
    });
  });

  it("reads the forms in which models answer", () => {
    const read = (text: string): Json => mergeAnswers([{ batch: rowsBatch("r", [2], [1, 2]), text }]).data;
    expect(read('[{"sku":"a"}]')).toEqual({ lines: [{ sku: "a" }] });
    expect(read('{"lines":[{"sku":"a"}]}')).toEqual({ lines: [{ sku: "a" }] });
    expect(read('{"rows":[{"row":{"sku":"a"},"page":"?"}]}')).toEqual({ lines: [{ sku: "a" }] });
    expect(read('{"rows":null}')).toEqual({ lines: [] });
  });

  it("names the batches with unreadable answers", () => {
    const { unread } = mergeAnswers([
      { batch: fieldsBatch("a"), text: "none" },
      { batch: fieldsBatch("b"), text: "[1]" },
      { batch: rowsBatch("c", [1], [1]), text: '{"other":1}' },
      { batch: fieldsBatch("d"), text: "{}" },
    ]);
    expect(unread).toEqual(["a", "b", "c"]);
  });
});

const GERMAN = { notation: "comma" as const, order: "day-first" as const, currencies: [] };

describe("findDoubts", () => {
  it("returns values that the text has in no form", () => {
    const text =
      "Rechnung RE-4711\nDatum 5. März 2024\nSumme 1.234,50 EUR\nSteuer 19 %\nIBAN DE89370400440532013000\nMüller-\nWerke GmbH";
    const schema: Json = {
      type: "object",
      properties: {
        kind: { enum: ["invoice"] },
        list: { type: "array", items: { type: "object", properties: { n: { type: "number" } } } },
      },
    };
    const data: Json = {
      number: "RE-4711",
      date: "2024-03-05",
      total: 1234.5,
      rate: 0.19,
      iban: "DE89 3704 0044 0532 0130 00",
      name: "MÜLLER Werke GmbH",
      kind: "invoice",
      paid: true,
      one: 1,
      list: [{ n: 19 }, { n: 20 }],
      city: "Berlin",
      due: "2024-04-05",
      nothing: null,
    };
    expect(findDoubts(data, parseSchema(schema), [{ text }], GERMAN, 10)).toEqual([
      { pointer: "/list/1/n", value: 20 },
      { pointer: "/city", value: "Berlin" },
      { pointer: "/due", value: "2024-04-05" },
    ]);
    expect(findDoubts(data, parseSchema(schema), [{ text }], GERMAN, 1)).toHaveLength(1);
  });
});

describe("applyCorrections", () => {
  it("applies corrections of asked pointers only", () => {
    const text = JSON.stringify({
      corrections: [
        { pointer: "/a~1b", stated: true, value: '"text"' },
        { pointer: "/l/1", stated: false, value: "7" },
        { pointer: "/n", stated: true, value: 12 },
        { pointer: "/other", stated: true, value: "1" },
        { pointer: "/p", stated: true, value: "2024-01-31" },
        "noise",
      ],
    });
    const found = readCorrections(text, new Set(["/a/b", "/a~1b", "/l/1", "/n", "/p"]));
    expect(found).toEqual([
      { pointer: "/a~1b", value: "text" },
      { pointer: "/l/1", value: null },
      { pointer: "/n", value: 12 },
      { pointer: "/p", value: "2024-01-31" },
    ]);
    expect(applyCorrections({ "a/b": 1, l: [1, 2], n: 0 }, found ?? [])).toEqual({
      "a/b": "text",
      l: [1, null],
      n: 12,
      p: "2024-01-31",
    });
    expect(readCorrections("none", new Set())).toBeUndefined();
    expect(
      applyCorrections({ l: [1] }, [
        { pointer: "/l/9", value: 1 },
        { pointer: "/x/y", value: 1 },
      ]),
    ).toEqual({ l: [1] });
    expect(JSON.stringify(applyCorrections({}, [{ pointer: "/__proto__", value: { x: 1 } }]))).toBe(
      '{"__proto__":{"x":1}}',
    );
  });
});

describe("a finished run", () => {
  it("lists a bounded number of faults, and counts all", async () => {
    const data = new TextEncoder().encode(JSON.stringify(Array.from({ length: 500 }, () => "x")));
    const ended = await concludeData.run({ data, schema: { type: "array", items: { type: "number" } } });
    expect(ended.faults).toHaveLength(100);
    expect(ended.faultCount).toBe(500);
    expect(new TextDecoder().decode(ended.data)).toBe("[]");
  });
});

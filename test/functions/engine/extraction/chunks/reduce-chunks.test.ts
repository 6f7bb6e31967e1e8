/** Answers of chunks as one result: order, repetitions, evidence, formulas, what is missing. */

import { describe, expect, it } from "vitest";
import {
  type ChunkAnswer,
  readChunkAnswer,
  readHeaderAnswer,
} from "../../../../../functions/engine/extraction/chunks/chunk-answer.ts";
import { type RecordForm, recordFormOf } from "../../../../../functions/engine/extraction/chunks/record-form.ts";
import { keyOf, keyPath } from "../../../../../functions/engine/extraction/chunks/record-key.ts";
import { type ReduceRequest, reduceChunks } from "../../../../../functions/engine/extraction/chunks/reduce-chunks.ts";
import type { SourceLocation } from "../../../../../functions/engine/layout/source-locations.ts";
import type { DataFault } from "../../../../../functions/engine/schema/data-faults.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const RECORD = { type: "object", properties: { sku: { type: "string" }, qty: { type: "number" } }, required: ["sku"] };
const FORM = recordFormOf({ schema: parseSchema(RECORD), openly: true });

const at = (pageNumber: number, word = 0): SourceLocation => ({
  resolution: "word",
  sourceRefs: [`p${pageNumber}/w${word}`],
  pageAnchors: [{ pageNumber, unit: "inch", bbox: { left: 0, top: 0, right: 1, bottom: 1 }, polygons: [] }],
  confidence: 0.8,
});

/** @param places pages by pointer */
function answer(
  data: Json,
  places: Record<string, number> = {},
  form: RecordForm = FORM,
  faults: DataFault[] = [],
): ChunkAnswer {
  const locations = Object.fromEntries(Object.entries(places).map(([pointer, page]) => [pointer, at(page)]));
  return readChunkAnswer({ data, sources: { locations, unresolved: [] }, faults, skipped: new Map() }, form);
}

const reduced = (chunks: [number[], ChunkAnswer][], more: Partial<ReduceRequest> = {}) =>
  reduceChunks({
    form: FORM,
    chunks: chunks.map(([pages, one]) => ({ pages, answer: one })),
    held: true,
    lacks: [],
    granularity: "auto",
    pages: [],
    ...more,
  });

describe("reduceChunks: records", () => {
  it("keep the order of the chunks and their evidence; empty records are dropped", () => {
    const { result, sources, faults, facts } = reduced([
      [
        [1],
        answer(
          { records: [{ sku: "a", qty: 1 }, { sku: null, qty: null }, { sku: "b" }] },
          { "/records/0/sku": 1, "/records/2/sku": 1 },
        ),
      ],
      [[2], answer({ records: [] })],
      [[3], answer({ records: [{ sku: "c" }] }, { "/records/0/sku": 3 })],
    ]);
    expect(result).toEqual({ header: null, records: [{ sku: "a", qty: 1 }, { sku: "b" }, { sku: "c" }] });
    expect(Object.keys(sources.locations)).toEqual(["/records/0/sku", "/records/1/sku", "/records/2/sku"]);
    expect(sources.locations["/records/2/sku"]?.sourceRefs).toEqual(["p3/w0"]);
    expect(sources.unresolved).toEqual([
      { pointer: "/header", reason: "null-value" },
      { pointer: "/records/0/qty", reason: "not-found" },
    ]);
    expect(facts).toEqual({ found: 3, unresolved: 2, confidence: 0.8 });
    expect(faults).toEqual([]);
  });

  it("on shared pages are merged, with the members of both chunks", () => {
    const first = answer({ records: [{ sku: "a" }, { sku: "b", qty: null }] }, { "/records/1/sku": 2 });
    const second = answer(
      { records: [{ sku: "b", qty: 7 }, { sku: "c" }] },
      { "/records/0/sku": 2, "/records/0/qty": 2 },
    );
    const { result, sources } = reduced(
      [
        [[1, 2], first],
        [[2, 3], second],
      ],
      { dedupKey: "$.sku" },
    );
    expect(result.records).toEqual([{ sku: "a" }, { sku: "b", qty: 7 }, { sku: "c" }]);
    expect(sources.locations["/records/1/qty"]?.pageAnchors[0]?.pageNumber).toBe(2);
  });

  it("are not merged within a chunk, on unshared pages, or across chunks without shared pages", () => {
    const twice = answer({ records: [{ sku: "a" }, { sku: "a" }] }, { "/records/0/sku": 2, "/records/1/sku": 2 });
    const again = answer(
      { records: [{ sku: "a" }, { sku: "a" }, { sku: "a" }] },
      { "/records/0/sku": 2, "/records/1/sku": 2, "/records/2/sku": 3 },
    );
    expect(
      reduced(
        [
          [[1, 2], twice],
          [[2, 3], again],
        ],
        { dedupKey: "sku" },
      ).result.records,
    ).toHaveLength(3);
    expect(
      reduced(
        [
          [[1], answer({ records: [{ sku: "a" }] })],
          [[2], answer({ records: [{ sku: "a" }] })],
        ],
        { dedupKey: "sku" },
      ).result.records,
    ).toHaveLength(2);
  });

  it("without a key are merged when all their values are equal, across more than two chunks", () => {
    const none = () => answer({ records: [{ qty: 5 }] });
    const chunks: [number[], ChunkAnswer][] = [
      [[1, 2, 3], none()],
      [[2, 3, 4], none()],
      [[3, 4, 5], none()],
    ];
    expect(reduced(chunks, { dedupKey: "sku", held: false }).result.records).toEqual([{ qty: 5 }]);
  });

  it("are identified by every spelling of the key's path", () => {
    expect([
      keyPath("sku"),
      keyPath("$.sku"),
      keyPath("lineItems.sku"),
      keyPath("$.lineItems[*].sku"),
      keyPath("$['a b'].c"),
    ]).toEqual([["sku"], ["sku"], ["lineItems", "sku"], ["lineItems", "sku"], ["a b", "c"]]);
    const keys = [{ sku: "A  1" }, { lineItems: { sku: "A 1" } }, { lineItems: [{ sku: "A 1" }] }].map((record) =>
      keyOf(record, ["lineItems", "sku"]),
    );
    expect(keys[0]).toBe(keys[1]);
    expect(keys[2]).not.toBe(keyOf({ sku: "B" }, ["sku"]));
    expect(keyOf({ sku: 5 }, ["sku"])).not.toBe(keyOf({ sku: 6 }, ["sku"]));
  });
});

describe("reduceChunks: members beside the list", () => {
  const schema = {
    type: "object",
    required: ["customer", "lines"],
    properties: {
      customer: { type: "string" },
      terms: { type: "array", items: { type: "string" } },
      lines: {
        type: "array",
        minItems: 2,
        items: {
          ...RECORD,
          properties: { ...RECORD.properties, double: { type: "number", "x-calculated": { formula: "{qty} * 2" } } },
        },
      },
      total: { type: "number", "x-calculated": { formula: "SUM({lines.qty})" } },
    },
  };
  const form = recordFormOf({ schema: parseSchema(schema), dedupKey: "lines.sku", openly: true });

  it("go to the header; formulas are computed over all records", () => {
    const { result, sources, faults } = reduced(
      [
        [
          [1],
          answer(
            { customer: "C", terms: ["net"], total: 1, lines: [{ sku: "a", qty: 1, double: 2 }] },
            { "/customer": 1, "/terms/0": 1 },
            form,
          ),
        ],
        [
          [2],
          answer({ customer: "later", terms: ["30 days"], lines: [{ sku: "b", qty: 2 }] }, { "/terms/0": 2 }, form),
        ],
      ],
      { form },
    );
    expect(result).toEqual({
      header: { customer: "C", terms: ["net", "30 days"], total: 3 },
      records: [
        { sku: "a", qty: 1, double: 2 },
        { sku: "b", qty: 2, double: 4 },
      ],
    });
    expect(sources.locations["/header/terms/1"]?.pageAnchors[0]?.pageNumber).toBe(2);
    expect(sources.unresolved).toContainEqual({ pointer: "/header/total", reason: "derived" });
    expect(sources.unresolved).toContainEqual({ pointer: "/records/1/double", reason: "derived" });
    expect(faults).toEqual([]);
  });

  it("are validated with all records; faults have pointers into the result", () => {
    const { faults } = reduced([[[1], answer({ lines: [{ sku: "a" }] }, {}, form)]], { form });
    expect(faults.map(({ pointer }) => pointer).sort()).toEqual(["/header/customer", "/records"]);
    const offline = reduced([[[1], answer({ lines: [{ sku: "a" }] }, {}, form)]], { form, held: false });
    expect(offline.faults).toEqual([]);
  });
});

describe("reduceChunks: a header", () => {
  it("has its own data, evidence and faults", () => {
    const header = readHeaderAnswer({
      data: { customer: "C", date: null },
      sources: { locations: { "/customer": at(1) }, unresolved: [{ pointer: "/date", reason: "null-value" }] },
      faults: [{ pointer: "/date", message: "is required" }],
      skipped: new Map(),
    });
    const { result, sources, faults } = reduced([[[2], answer({ records: [{ sku: "a" }] })]], { header });
    expect(result.header).toEqual({ customer: "C", date: null });
    expect(sources.locations["/header/customer"]).toEqual(at(1));
    expect(faults).toEqual([{ pointer: "/header/date", message: "is required" }]);
  });
});

describe("reduceChunks: faults", () => {
  it("follow their records; dropped records are named by their pages", () => {
    const faulty = answer({ records: [{ sku: "b" }, { sku: "c", qty: null }] }, {}, FORM, [
      { pointer: "/records/0", message: "must be object" },
      { pointer: "/records/2/qty", message: "must be number" },
    ]);
    const { faults } = reduced(
      [
        [[1], answer({ records: [{ sku: "a" }] })],
        [[2, 3], faulty],
      ],
      { held: false },
    );
    expect(faults).toEqual([
      { pointer: "/records", message: "pages 2-3: /records a record was left out: must be object" },
      { pointer: "/records/2/qty", message: "must be number" },
    ]);
  });
});

it("references to words of a partial page count from the page's beginning", () => {
  const read = readChunkAnswer(
    {
      data: { records: [{ sku: "a" }] },
      sources: { locations: { "/records/0/sku": at(4, 3) }, unresolved: [] },
      faults: [],
      skipped: new Map([[4, 20]]),
    },
    FORM,
  );
  expect(read.records[0]?.evidence[0]?.location?.sourceRefs).toEqual(["p4/w23"]);
});

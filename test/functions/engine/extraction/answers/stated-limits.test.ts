import { describe, expect, it } from "vitest";
import { toAnswerSchema } from "../../../../../functions/engine/extraction/answers/answer-schema.ts";
import { mergeAnswers, type PartAnswer } from "../../../../../functions/engine/extraction/answers/merge-answers.ts";
import { asksForLimits, readStatedLimits } from "../../../../../functions/engine/extraction/answers/stated-limits.ts";
import { groupBatches } from "../../../../../functions/engine/extraction/prompts/field-batches.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { compileSchema } from "../../../../../functions/engine/schema/validator.ts";
import type { Json } from "../../../../../functions/ports/json.ts";

const list = (description?: string): Json => ({
  type: "array",
  ...(description === undefined ? {} : { description }),
  items: { type: "object", properties: { sku: { type: "string" } } },
});
const object = (properties: { [name: string]: Json }): Json => ({ type: "object", properties });
const stated = { count: 5, first_page: null, last_page: null, criterion: null };
const LIMIT = { list: "/lines", limit: stated, reason: "the first 5" };
const READ = { list: "/lines", count: 5, reason: "the first 5" };

describe("asksForLimits", () => {
  const asks = (schema: Json, prompt?: string): boolean => asksForLimits(schema, parseSchema(schema).shape, prompt);

  it("is true for lists under a prompt or a description", () => {
    expect(asks(object({ lines: list() }), "Read it")).toBe(true);
    expect(asks({ type: "object" }, "Read it")).toBe(true);
    expect(asks(list(), "Read it")).toBe(true);
    expect(asks(object({ order: object({ lines: list("All lines") }) }))).toBe(true);
    expect(asks({ ...(object({ lines: list() }) as object), description: "An order" })).toBe(true);
  });

  it("is false without lists, without words, and for properties of the same names", () => {
    expect(asks(object({ total: { type: "number" } }), "Read it")).toBe(false);
    expect(asks(object({ lines: list() }))).toBe(false);
    expect(asks(object({ lines: list(), limits: list() }), "Read it")).toBe(false);
    expect(asks(object({ result: list() }), "Read it")).toBe(false);
  });
});

describe("readStatedLimits", () => {
  it("reads counts, pages and criteria", () => {
    const pages = { ...LIMIT, limit: { ...stated, count: null, first_page: 2, last_page: 3 } };
    const onwards = { ...LIMIT, limit: { first_page: 2 } };
    const criterion = { ...LIMIT, limit: { criterion: "over 100" } };
    expect(readStatedLimits([LIMIT, pages, onwards, criterion])).toEqual([
      READ,
      { list: "/lines", pages: [2, 3], reason: "the first 5" },
      { list: "/lines", pages: [2, null], reason: "the first 5" },
      { list: "/lines", reason: "the first 5" },
    ]);
  });

  it.each<Json | undefined>([
    undefined,
    null,
    "none",
    {},
    [null, 5, "x", []],
    [{ ...LIMIT, reason: null }],
    [{ ...LIMIT, list: 3 }],
    [{ ...LIMIT, limit: 5 }],
  ])("leaves out %j", (given) => {
    expect(readStatedLimits(given)).toEqual([]);
  });

  it("ignores numbers that are none, and further limits than fifty", () => {
    const odd = { ...LIMIT, limit: { ...stated, count: -1, first_page: 1.5, last_page: "2" } };
    expect(readStatedLimits([odd])).toEqual([{ list: "/lines", reason: "the first 5" }]);
    expect(readStatedLimits(Array.from({ length: 80 }, () => LIMIT))).toHaveLength(50);
  });
});

describe("answers with limits", () => {
  const schema = object({ number: { type: "string" }, lines: list() });
  const data = { number: "A-1", lines: [{ sku: "X" }] };
  const part = (answer: Json, limits = true, wrapped = true): PartAnswer => ({
    batch: { id: "all", kind: "whole", path: [], pages: [1], own: [], answer: { wrapped, limits } },
    text: JSON.stringify(answer),
  });

  it("have the data and the limits in the strict form", () => {
    const answer = toAnswerSchema(schema, true);
    expect(answer).toMatchObject({ wrapped: true, limits: true, unexpressed: [] });
    const validator = compileSchema(answer.schema ?? false);
    expect(validator.check({ result: data, limits: [LIMIT] })).toEqual([]);
    expect(validator.check({ result: data })).not.toEqual([]);
    expect(validator.check({ result: data, limits: [{ list: "/lines" }] })).not.toEqual([]);
    expect(toAnswerSchema({ type: "object" }, true)).toMatchObject({ wrapped: true, limits: true });
  });

  it("are merged: the data without the wrapping, and the limits of all parts", () => {
    const two = { result: { lines: [{ sku: "Y" }] }, limits: [] };
    const merged = mergeAnswers([part({ result: data, limits: [LIMIT] }), part(two)]);
    expect(merged.data).toEqual({ number: "A-1", lines: [{ sku: "X" }, { sku: "Y" }] });
    expect(merged.limits).toEqual([READ]);
  });

  it("may be bare, with or without the limits", () => {
    expect(mergeAnswers([part(data)])).toMatchObject({ data, limits: [] });
    expect(mergeAnswers([part({ ...data, limits: [LIMIT] })])).toMatchObject({ data, limits: [READ] });
    expect(mergeAnswers([part({ result: [1], limits: "none" })])).toMatchObject({ data: [1], limits: [] });
    // Only where they were asked for.
    expect(mergeAnswers([part({ result: data, limits: [LIMIT] }, false, false)])).toMatchObject({ limits: [] });
  });

  it("stand beside rows, in all windows of pages", () => {
    const pages = [1, 2, 3].map((number) => ({ number, text: "row\n".repeat(200), scan: false, bodySize: 0 }));
    const batches = groupBatches(parseSchema(schema), pages as never, 1_200, true);
    const rows = batches.filter(({ kind }) => kind === "rows");
    expect(rows.length).toBeGreaterThan(1);
    const parts = rows.map((batch, at) => {
      const validator = compileSchema(batch.answer.schema ?? false);
      const answer = { rows: [{ page: batch.own[0] ?? 0, row: { sku: `S${at}` } }], limits: at === 0 ? [LIMIT] : [] };
      expect(validator.check(answer)).toEqual([]);
      return { batch, text: JSON.stringify(answer) };
    });
    const { data: merged, limits } = mergeAnswers(parts);
    expect(merged).toEqual({ lines: parts.map((_, at) => ({ sku: `S${at}` })) });
    expect(limits).toEqual([READ]);
    expect(batches.filter(({ kind }) => kind === "fields").every(({ answer }) => answer.limits !== true)).toBe(true);
  });
});

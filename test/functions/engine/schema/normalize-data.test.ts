import { describe, expect, it } from "vitest";
import { normalizeData } from "../../../../functions/engine/schema/normalize-data.ts";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { TextConventions } from "../../../../functions/engine/values/text-conventions.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const normalized = (data: Json, schema: Json, conventions: TextConventions): Json =>
  normalizeData(data, parseSchema(schema), conventions);

const GERMAN: TextConventions = { notation: "comma", order: "day-first", currencies: ["EUR"] };
const AMERICAN: TextConventions = { notation: "point", order: "month-first", currencies: ["USD"] };

const one = (value: Json, schema: Json, conventions = GERMAN): Json | undefined =>
  (normalized({ v: value }, { type: "object", properties: { v: schema } }, conventions) as { v?: Json }).v;

describe("normalizeData: values", () => {
  it.each<[Json, Json, Json | undefined]>([
    ["1.234,50 €", { type: "number" }, 1234.5],
    ["1.234", { type: "number" }, 1234],
    ["1234.56", { type: "number" }, 1234.56],
    ["(12,00)", { type: "number" }, -12],
    ["19 %", { type: "number" }, 19],
    ["1e-3", { type: "number" }, 0.001],
    ["12,5", { type: "integer" }, "12,5"],
    ["12 Stück", { type: "number" }, "12 Stück"],
    ["5. März 2024", { type: "string", format: "date" }, "2024-03-05"],
    ["03/05/2024", { type: "string", format: "date" }, "2024-05-03"],
    ["2024-03-05T10:00:00Z", { type: "string", format: "date" }, "2024-03-05"],
    ["soon", { type: "string", format: "date" }, "soon"],
    ["5. März 2024", { type: "string" }, "5. März 2024"],
    ["1.234,50 €", { type: "string" }, "1.234,50 €"],
    [4711, { type: "string" }, "4711"],
    [true, { type: "string" }, "true"],
    ["ja", { type: "boolean" }, true],
    ["☐", { type: "boolean" }, false],
    ["perhaps", { type: "boolean" }, "perhaps"],
    ["€", { enum: ["EUR", "USD"] }, "EUR"],
    ["eur", { enum: ["EUR", "USD"] }, "EUR"],
    ["€", { type: "string", pattern: "^[A-Z]{3}$" }, "EUR"],
    ["€", { type: "string" }, "€"],
    ["Invoice ", { enum: ["invoice", "order"] }, "invoice"],
    ["12", { type: ["string", "number"] }, "12"],
    ["12", { anyOf: [{ type: "number" }, { type: "null" }] }, 12],
    ["", { type: ["number", "null"] }, null],
    ["", { type: "number" }, undefined],
    ["", { type: "string" }, ""],
    [null, { type: "string" }, undefined],
    [null, { type: ["string", "null"] }, null],
    [null, { anyOf: [{ $ref: "#/x" }, { type: "null" }] }, null],
    [{ a: 1 }, { type: "number" }, { a: 1 }],
  ])("%j for %j is %j", (value, schema, expected) => {
    expect(one(value, schema)).toEqual(expected);
  });

  it("follow the document's conventions", () => {
    expect(one("1.234", { type: "number" }, AMERICAN)).toBe(1.234);
    expect(one("03/05/2024", { type: "string", format: "date" }, AMERICAN)).toBe("2024-03-05");
    expect(one("$", { enum: ["EUR", "USD"] }, AMERICAN)).toBe("USD");
  });
});

describe("normalizeData: structure", () => {
  it("follows the schema: order, constants, required nulls, no forbidden members", () => {
    const schema: Json = {
      type: "object",
      properties: {
        kind: { const: "invoice" },
        b: { type: ["string", "null"] },
        a: { type: "string" },
        c: { type: "number" },
      },
      required: ["kind", "b", "c"],
      additionalProperties: false,
    };
    const data = normalized({ stranger: 1, a: "x", c: null }, schema, GERMAN);
    expect(JSON.stringify(data)).toBe('{"kind":"invoice","b":null,"a":"x"}');
  });

  it("keeps unnamed members, unless the schema forbids them", () => {
    expect(
      normalized({ x: "1,5", y: 2 }, { type: "object", additionalProperties: { type: "number" } }, GERMAN),
    ).toEqual({ x: 1.5, y: 2 });
    expect(
      normalized({ n_1: "1,5", y: "z" }, { type: "object", patternProperties: { "^n_": { type: "number" } } }, GERMAN),
    ).toEqual({ n_1: 1.5, y: "z" });
  });

  it("turns pairs into objects only where the schema has an object", () => {
    const pairs = [
      { key: "a", value: "1,5" },
      { key: "__proto__", value: 2 },
    ];
    const map: Json = { type: "object", additionalProperties: { type: "number" } };
    expect(JSON.stringify(normalized(pairs, map, GERMAN))).toBe('{"a":1.5,"__proto__":2}');
    const list: Json = { type: "array", items: { type: "object" } };
    expect(normalized(pairs, list, GERMAN)).toEqual(pairs);
  });

  it("follows the matching alternative", () => {
    const schema: Json = {
      anyOf: [
        { type: "object", properties: { kind: { const: "card" }, amount: { type: "string" } } },
        { type: "object", properties: { kind: { const: "cash" }, amount: { type: "number" } } },
      ],
    };
    expect(normalized({ kind: "cash", amount: "1,5" }, schema, GERMAN)).toEqual({ kind: "cash", amount: 1.5 });
    expect(normalized({ kind: "card", amount: 15 }, schema, GERMAN)).toEqual({ kind: "card", amount: "15" });
  });

  it("covers lists, tuples, combined and recursive schemas", () => {
    const schema: Json = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          allOf: [
            { properties: { n: { type: "number" } } },
            { properties: { parts: { type: "array", items: { $ref: "#/$defs/node" } } } },
          ],
          type: "object",
        },
      },
    };
    const data = { n: "1,5", parts: [{ n: "2,5", parts: [{ n: "3", parts: [] }] }, null] };
    expect(normalized(data, schema, GERMAN)).toEqual({ n: 1.5, parts: [{ n: 2.5, parts: [{ n: 3, parts: [] }] }] });
    const tuple: Json = {
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: { type: "boolean" },
    };
    expect(normalized([1, "2,5", "ja"], tuple, GERMAN)).toEqual(["1", 2.5, true]);
  });

  it("treats the last of many rows like the first", () => {
    const row: Json = {
      type: "object",
      properties: {
        d: { type: "string", format: "date" },
        q: { $ref: "#/$defs/q" },
        s: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
    };
    const schema: Json = { type: "array", items: row, $defs: { q: { type: "number" } } };
    const rows = Array.from({ length: 20_000 }, () => ({ d: "5.3.2024", q: "1,5", s: null }));
    const began = performance.now();
    const data = normalized(rows, schema, GERMAN) as Json[];
    expect(data).toHaveLength(20_000);
    expect(data.at(-1)).toEqual({ d: "2024-03-05", q: 1.5, s: null });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

import { describe, expect, it } from "vitest";
import { validPart } from "../../../../functions/engine/schema/valid-part.ts";
import { compileSchema } from "../../../../functions/engine/schema/validator.ts";
import type { Json } from "../../../../functions/ports/json.ts";

function part(schema: Json, data: Json) {
  const found = validPart(structuredClone(data), compileSchema(schema));
  return "fault" in found ? found : { data: found.data, faults: found.faults.map(({ pointer }) => pointer), found };
}

const NULLABLE = {
  anyOf: [{ type: "object", properties: { q: { type: "number" } }, required: ["z"] }, { type: "null" }],
};

describe("validPart", () => {
  it.each<[string, Json, Json, Json, string[]]>([
    ["fits already", { type: "object", properties: { a: { type: "string" } } }, { a: "x", b: 1 }, { a: "x", b: 1 }, []],
    ["a value goes", { type: "object", properties: { a: { type: "number" } } }, { a: "x", b: 1 }, { b: 1 }, ["/a"]],
    [
      "or becomes null",
      { type: "object", properties: { a: { type: ["number", "null"] } } },
      { a: "x" },
      { a: null },
      ["/a"],
    ],
    [
      "rows stay without it",
      { type: "array", items: { type: "object", properties: { q: { type: "number" } }, required: ["q"] } },
      [{ q: 1 }, { q: "x" }, {}],
      [{ q: 1 }, {}, {}],
      ["/1/q", "/2/q"],
    ],
    [
      "items go, named as they were",
      { type: "array", items: { type: "number" } },
      ["a", 1, "b", 2, "c"],
      [1, 2],
      ["/0", "/2", "/4"],
    ],
    [
      "strangers go",
      { type: "object", properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 2, "c/d": 3 },
      { a: 1 },
      ["/b", "/c~1d"],
    ],
    ["too many go", { type: "array", maxItems: 2 }, [1, 2, 3, 4], [1, 2], [""]],
    [
      "repeated go",
      { type: "array", uniqueItems: true },
      [1, { a: 1, b: 2 }, 1, { b: 2, a: 1 }],
      [1, { a: 1, b: 2 }],
      [""],
    ],
    [
      "too few stay",
      { type: "object", properties: { l: { type: "array", minItems: 2, items: { type: "number" } } } },
      { l: [1, "x"] },
      { l: [1] },
      ["/l", "/l/1"],
    ],
    [
      "the alternative that was meant",
      { type: "object", properties: { n: NULLABLE } },
      { n: { q: "x" } },
      { n: {} },
      ["/n/q", "/n/z"],
    ],
    [
      "none of the alternatives",
      { type: "object", properties: { n: { anyOf: [{ type: "number" }, { type: "boolean" }] } } },
      { n: "x", m: 1 },
      { m: 1 },
      ["/n"],
    ],
    ["names", { type: "object", propertyNames: { pattern: "^a" } }, { ab: 1, b: 2 }, { ab: 1 }, ["/b"]],
    ["tuples", { type: "array", prefixItems: [{ type: "string" }], items: false }, ["a", 1, 2], ["a"], [""]],
    [
      "conditions",
      JSON.parse('{"type":"object","if":{"required":["a"]},"then":{"properties":{"b":{"type":"number"}}}}'),
      { a: 1, b: "x" },
      { a: 1 },
      ["/b"],
    ],
    ["what is ruled out", { type: "object", properties: { a: { not: { const: 1 } } } }, { a: 1 }, { a: null }, ["/a"]],
    [
      "what is not among the choices",
      { type: "object", properties: { a: { enum: ["x", "y"] } }, required: ["a"] },
      { a: "z" },
      {},
      ["/a"],
    ],
    [
      "members of lists in lists",
      { type: "array", items: { type: "array", items: { type: "number" } } },
      [[1, "a"], "b", [2]],
      [[1], [2]],
      ["/0/1", "/1"],
    ],
    [
      "strange names",
      { type: "object", properties: { "": { type: "number" } }, additionalProperties: { type: "number" } },
      JSON.parse('{"":"a","__proto__":"x","toString":1}'),
      { toString: 1 } as unknown as Json,
      ["/", "/__proto__"],
    ],
  ])("%s", (_, schema, data, expected, faults) => {
    const found = part(schema, data);
    expect(found).toMatchObject({ data: expected });
    expect("faults" in found ? found.faults.toSorted() : found).toEqual(faults.toSorted());
  });

  it("prefers the alternative whose constant the data has", () => {
    const schema: Json = {
      type: "object",
      properties: {
        pay: {
          oneOf: [
            { type: "object", properties: { kind: { const: "card" }, number: { type: "string" } }, required: ["kind"] },
            { $ref: "#/$defs/cash" },
          ],
        },
      },
      $defs: {
        cash: {
          type: "object",
          properties: { kind: { const: "cash" }, amount: { type: "number" }, number: { type: "number" } },
          required: ["kind"],
        },
      },
    };
    expect(part(schema, { pay: { kind: "card", number: 5, amount: "x" } })).toMatchObject({
      data: { pay: { kind: "card", amount: "x" } },
      faults: ["/pay/number"],
    });
    expect(part(schema, { pay: { kind: "cash", number: "5", amount: "x" } })).toMatchObject({
      data: { pay: { kind: "cash" } },
    });
  });

  it("returns the fault of the whole when nothing can be kept", () => {
    expect(part({ type: "object" }, "text")).toEqual({ fault: { pointer: "", message: "must be object" } });
    expect(part({ type: "number", minimum: 3 }, 2)).toEqual({ fault: { pointer: "", message: "must be >= 3" } });
    expect(part(false, {})).toHaveProperty("fault");
  });

  it("words faults for users", () => {
    const schema: Json = {
      type: "object",
      properties: {
        a: { enum: Array.from({ length: 12 }, (_, at) => `c${at}`) },
        b: { const: 3 },
        c: { type: "string", pattern: `^${"x".repeat(500)}$` },
      },
      required: ["d"],
      additionalProperties: false,
    };
    const { found } = part(schema, { a: "z", b: 4, c: "y", e: 1 }) as { found: { faults: unknown[] } };
    expect(found.faults).toEqual(
      expect.arrayContaining([
        { pointer: "/a", message: 'must be one of "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", …' },
        { pointer: "/b", message: "must be 3" },
        { pointer: "/c", message: expect.stringMatching(/^must match pattern .{200,}…$/) },
        { pointer: "/d", message: "is required" },
        { pointer: "/e", message: "must not be there" },
      ]),
    );
  });

  it("is fast for long lists", () => {
    const schema: Json = {
      type: "array",
      uniqueItems: true,
      items: { type: "object", properties: { q: { type: "number" }, s: { type: "string", pattern: "^(a+)+$" } } },
    };
    const data = Array.from({ length: 5_000 }, (_, at) => ({
      q: at % 2 === 0 ? at : "x",
      s: at % 3 === 0 ? "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab" : "a",
      n: at,
    }));
    const began = performance.now();
    const found = part(schema, data);
    expect((found as { data: Json[] }).data).toHaveLength(5_000);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

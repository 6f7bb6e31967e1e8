import { describe, expect, it } from "vitest";
import { compileSchema } from "../../../../functions/engine/schema/validator.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const errorsOf = (schema: Json, data: Json): string[] =>
  compileSchema(schema)
    .check(data)
    .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

describe("compileSchema", () => {
  it("supports both drafts", () => {
    const tuple = [{ type: "string" }, { type: "number" }];
    expect(errorsOf({ $schema: DRAFT_7, items: tuple, additionalItems: false }, ["a", "b", "c"])).toEqual([
      " additionalItems",
      "/1 type",
    ]);
    expect(errorsOf({ items: tuple }, ["a", "b"])).toEqual(["/1 type"]);
    expect(errorsOf({ prefixItems: tuple, items: false }, ["a", 1, 2])).toEqual([" items"]);
    expect(errorsOf({ dependentRequired: { a: ["b"] } }, { a: 1 })).toEqual([" dependentRequired"]);
    expect(errorsOf({ $schema: DRAFT_7, dependentRequired: { a: ["b"] } }, { a: 1 })).toEqual([]);
    expect(errorsOf({ contains: { type: "string" }, minContains: 2 }, ["a", 1])).toContain(" contains");
    expect(errorsOf({ properties: { a: {} }, unevaluatedProperties: false }, { a: 1, b: 2 })).toEqual([
      " unevaluatedProperties",
    ]);
    expect(errorsOf({ $schema: "urn:unknown", type: "string" }, 1)).toEqual([" type"]);
  });

  it("checks formats, and refuses overlong values", () => {
    const schema: Json = {
      type: "object",
      properties: { d: { format: "date" }, m: { format: "email" }, x: { format: "unheard-of" } },
    };
    expect(errorsOf(schema, { d: "2024-02-29", m: "a@b.example", x: "?" })).toEqual([]);
    expect(errorsOf(schema, { d: "2023-02-29", m: "a@b@", x: "?" })).toEqual(["/d format", "/m format"]);
    const began = performance.now();
    expect(errorsOf(schema, { m: `a@${"a".repeat(200_000)}` })).toEqual(["/m format"]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it("matches catastrophic patterns in bounded time, also in names", () => {
    const long = `${"a".repeat(30_000)}!`;
    const began = performance.now();
    expect(errorsOf({ pattern: "^(a+)+$" }, long)).toEqual([" pattern"]);
    expect(
      errorsOf({ patternProperties: { "^(a|a)*$": { type: "number" } }, additionalProperties: false }, { [long]: 1 }),
    ).toEqual([" additionalProperties"]);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it("accepts patterns that Unicode mode refuses", () => {
    expect(errorsOf({ pattern: "^\\d{3}\\-\\d{2}$" }, "123-45")).toEqual([]);
  });

  it("follows recursion to the depth of the data", () => {
    const schema: Json = {
      $ref: "#/$defs/n",
      $defs: { n: { type: "object", properties: { n: { $ref: "#/$defs/n" } } } },
    };
    let data: Json = "leaf";
    for (let level = 0; level < 100; level += 1) data = { n: data };
    expect(errorsOf(schema, data)).toEqual([`${"/n".repeat(100)} type`]);
    expect(errorsOf({ properties: { a: { $ref: "#" }, b: { type: "string" } } }, { a: { a: { b: 1 } } })).toEqual([
      "/a/a/b type",
    ]);
  });

  it("checks own members only", () => {
    expect(errorsOf({ required: ["toString", "__proto__"] }, {})).toEqual([" required", " required"]);
    expect(errorsOf({ uniqueItems: true }, [{ toString: 1 }, { toString: 1 }])).toEqual([" uniqueItems"]);
  });

  it.each<[string, Json, string]>([
    ["a circle", { $ref: "#" }, "refers to itself without end"],
    [
      "a longer circle",
      { $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } } },
      "refers to itself without end",
    ],
    ["another document", { $ref: "other.json#/a" }, "refers to other.json#/a, which is not part of it"],
    ["a missing part", { $ref: "#/$defs/none" }, "refers to #/$defs/none, which is not part of it"],
    ["a broken pattern", { pattern: "(" }, 'has a pattern that cannot be used: "(" is not a valid regular expression'],
    ["a back reference", { pattern: "(a)\\1" }, "refers back to a group, which is not supported"],
  ])("refuses %s", (_, schema, reason) => {
    expect(() => compileSchema(schema)).toThrow(JobFailure);
    expect(() => compileSchema(schema)).toThrow(
      `Processing failed: The schema ${reason.startsWith("refers back") ? "" : reason}`,
    );
    expect(() => compileSchema(schema)).toThrow(reason);
  });

  it("refuses combinations that multiply, and accepts many that do not", () => {
    const $defs: { [name: string]: Json } = { d0: { type: "string" } };
    for (let level = 1; level <= 30; level += 1)
      $defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
    expect(() => compileSchema({ $ref: "#/$defs/d30", $defs })).toThrow("combines too many alternatives");
    expect(errorsOf({ anyOf: Array.from({ length: 300 }, (_, at) => ({ const: at })) }, 299)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { pointTo } from "../../../../functions/engine/schema/json-pointer.ts";
import { readSchema, type Shape } from "../../../../functions/engine/schema/schema-shape.ts";
import type { Json } from "../../../../functions/ports/json.ts";

/** The shape as a compact text: objects, lists, scalars by type. */
function outline(shape: Shape): unknown {
  if (shape.kind === "object")
    return Object.fromEntries(shape.members.map(({ name, shape: member }) => [name, outline(member)]));
  if (shape.kind === "list") return [outline(shape.item)];
  return shape.kind === "scalar" ? shape.field.type : null;
}

const shapeOf = (schema: Json): unknown => outline(readSchema(schema));

describe("readSchema", () => {
  it("reads properties, nested objects, lists and references", () => {
    const schema: Json = {
      $ref: "#/$defs/invoice",
      $defs: {
        invoice: {
          type: "object",
          properties: {
            number: { type: ["string", "null"] },
            seller: { $ref: "#/$defs/party" },
            lines: { type: "array", items: { $ref: "#/definitions/line" } },
          },
        },
        party: { properties: { name: { type: "string" }, vip: { type: "boolean" } } },
      },
      definitions: { line: { type: "object", properties: { amount: { type: "number" }, count: { type: "integer" } } } },
    };
    expect(shapeOf(schema)).toEqual({
      number: "string",
      seller: { name: "string", vip: "boolean" },
      lines: [{ amount: "number", count: "integer" }],
    });
  });

  it("chooses the first scalar of anyOf and oneOf, and joins allOf", () => {
    const schema: Json = {
      allOf: [
        { properties: { a: { anyOf: [{ type: "null" }, { type: "object", properties: {} }, { type: "number" }] } } },
        { properties: { b: { oneOf: [{ type: "array", items: {} }, { type: "null" }] } } },
      ],
    };
    expect(shapeOf(schema)).toEqual({ a: "number", b: ["string"] });
  });

  it("reads alternatives of constants as choices", () => {
    const shape = readSchema({
      type: "object",
      properties: { kind: { oneOf: [{ const: "invoice" }, { const: "receipt", title: "Receipt" }] } },
    });
    expect(shape).toMatchObject({
      members: [{ shape: { field: { choices: ["invoice", "receipt"], constant: null } } }],
    });
  });

  it("keeps the rules for a value", () => {
    const shape = readSchema({
      type: "object",
      properties: {
        code: {
          type: "string",
          title: "Code",
          description: "The code",
          pattern: "^x",
          minLength: 2,
          maxLength: 9,
          format: "uuid",
        },
        rate: { type: "number", exclusiveMinimum: 0, maximum: 100 },
      },
    });
    expect(shape).toMatchObject({
      members: [
        {
          shape: {
            field: {
              path: ["code"],
              title: "Code",
              description: "The code",
              pattern: "^x",
              minLength: 2,
              maxLength: 9,
              format: "uuid",
            },
          },
        },
        { shape: { field: { minimum: 0, maximum: 100 } } },
      ],
    });
  });

  it("ends recursion with nothing", () => {
    const node: Json = {
      type: "object",
      properties: { value: { type: "string" }, next: { $ref: "#" }, all: { type: "array", items: { $ref: "#" } } },
    };
    const below = { value: "string", next: null, all: [null] };
    expect(shapeOf(node)).toEqual({ value: "string", next: below, all: [below] });
    expect(shapeOf({ $ref: "#" })).toBeNull();
    expect(shapeOf({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } })).toBeNull();
  });

  it.each<[string, Json, unknown]>([
    ["true", true, {}],
    ["an empty schema", {}, {}],
    ["false", false, null],
    ["null", null, null],
    ["a string", "object", null],
    ["a list", [1, 2], null],
    ["a scalar at the top", { type: "number" }, "number"],
    ["boolean properties", { properties: { a: true, b: false } }, { a: "string", b: null }],
    [
      "a remote reference",
      {
        properties: {
          a: { $ref: "https://example.com/x.json" },
          b: { $ref: "https://example.com/y.json", type: "number" },
        },
      },
      { a: null, b: "number" },
    ],
    ["a reference to nothing", { properties: { a: { $ref: "#/nowhere/%E0%A4%A" } } }, { a: null }],
    ["properties that are no object", { type: "object", properties: [1] }, {}],
    ["tuples", { properties: { a: { type: "array", items: [{ type: "string" }] } } }, { a: [null] }],
    ["an enum without a type", { properties: { a: { enum: [1, 2] } } }, { a: "number" }],
    ["only null", { properties: { a: { type: "null" } } }, { a: null }],
    [
      "odd members",
      { properties: { a: { type: 7, title: 3, enum: "x", pattern: {}, minLength: "2" } } },
      { a: "string" },
    ],
  ])("reads %s", (_, schema, expected) => {
    expect(shapeOf(schema)).toEqual(expected);
  });

  it("keeps a property named __proto__ without touching prototypes", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"a":{"type":"string"}}}') as Json;
    const shape = readSchema(schema);
    expect(shape.kind === "object" ? shape.members.map(({ name }) => name) : []).toEqual(["__proto__", "a"]);
  });

  it("cuts schemas that multiply without end", () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const refs: Json = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const $defs: Json = Object.fromEntries(
      names.map((name) => [
        name,
        { anyOf: refs, properties: Object.fromEntries(names.map((other) => [other, { $ref: `#/$defs/${other}` }])) },
      ]),
    );
    const before = process.cpuUsage();
    expect(readSchema({ $ref: "#/$defs/d0", $defs }).kind).toBe("object");
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

describe("pointTo", () => {
  it("escapes names", () => {
    expect(pointTo(pointTo("", "a/b~c"), 0)).toBe("/a~1b~0c/0");
  });
});

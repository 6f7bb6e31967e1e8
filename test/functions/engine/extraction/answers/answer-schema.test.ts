import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { toAnswerSchema } from "../../../../../functions/engine/extraction/answers/answer-schema.ts";
import type { Json } from "../../../../../functions/ports/json.ts";
import { randomSchema } from "../../../service/extraction/schemas.ts";
import { Random } from "../prng.ts";

type Schema = { [member: string]: Json };

const ALLOWED = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
  "description",
  "$ref",
  "$defs",
]);

/** Faults of a schema that strict structured outputs refuse. */
function faultsOf(schema: Json, path = "", level = 1): string[] {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return [`${path} is no object`];
  const faults = Object.keys(schema)
    .filter((keyword) => !ALLOWED.has(keyword))
    .map((keyword) => `${path} has ${keyword}`);
  if (level > 11) faults.push(`${path} is too deep`);
  const {
    type,
    properties,
    required,
    additionalProperties,
    items,
    anyOf,
    enum: choices,
    $ref,
    $defs,
  } = schema as Schema;
  if (type === undefined && anyOf === undefined && $ref === undefined) faults.push(`${path} has no type`);
  if (type === "object") {
    const names = Object.keys(properties as Schema);
    if (additionalProperties !== false || JSON.stringify(required) !== JSON.stringify(names))
      faults.push(`${path} is not strict`);
    for (const [name, property] of Object.entries(properties as Schema))
      faults.push(...faultsOf(property, `${path}/${name}`, level + 1));
  }
  if (type === "array") faults.push(...faultsOf(items as Json, `${path}/*`, level + 1));
  for (const option of (anyOf as Json[] | undefined) ?? []) faults.push(...faultsOf(option, `${path}|`, level));
  for (const [name, one] of Object.entries(($defs as Schema | undefined) ?? {}))
    faults.push(...faultsOf(one, `#${name}`, 1));
  if (Array.isArray(choices) && choices.some((choice) => typeof choice === "object" && choice !== null))
    faults.push(`${path} has objects as choices`);
  return faults;
}

const strictOf = (schema: Json): Json | undefined => toAnswerSchema(schema).schema;

describe("toAnswerSchema", () => {
  it("keeps all properties as nullable, and notes unexpressed keywords", () => {
    const { schema, unexpressed, wrapped } = toAnswerSchema({
      type: "object",
      title: "Invoice",
      properties: {
        date: { type: "string", format: "date", description: "Day of issue" },
        total: { type: ["number", "null"], minimum: 0 },
        currency: { enum: ["EUR", "USD"] },
        kind: { const: "invoice" },
        lines: {
          type: "array",
          minItems: 1,
          items: { type: "object", properties: { sku: { type: "string", pattern: "^x" } }, required: ["sku"] },
        },
        more: { type: "object", properties: {}, additionalProperties: false },
      },
      required: ["date"],
      if: { properties: { total: { const: 1 } } },
    });
    expect(wrapped).toBe(false);
    expect(unexpressed).toEqual([
      "/: if",
      "/date: format",
      "/total: minimum",
      "/lines: minItems",
      "/lines/*/sku: pattern",
    ]);
    expect(schema).toEqual({
      type: "object",
      properties: {
        date: { type: ["string", "null"], description: "Day of issue" },
        total: { type: ["number", "null"] },
        currency: { anyOf: [{ type: "string", enum: ["EUR", "USD"] }, { type: "null" }] },
        kind: { type: "string", enum: ["invoice"] },
        lines: {
          anyOf: [
            {
              type: "array",
              items: {
                type: "object",
                properties: { sku: { type: ["string", "null"] } },
                required: ["sku"],
                additionalProperties: false,
              },
            },
            { type: "null" },
          ],
        },
        more: {
          anyOf: [{ type: "object", properties: {}, required: [], additionalProperties: false }, { type: "null" }],
        },
      },
      required: ["date", "total", "currency", "kind", "lines", "more"],
      additionalProperties: false,
    });
  });

  it("keeps anyOf, and turns oneOf into anyOf", () => {
    const { schema, unexpressed } = toAnswerSchema({
      type: "object",
      properties: {
        party: {
          oneOf: [{ type: "string" }, { type: "object", properties: { name: { type: "string" } } }, { type: "null" }],
        },
      },
    });
    expect(unexpressed).toEqual(["/party: oneOf"]);
    expect(schema).toMatchObject({
      properties: { party: { anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }] } },
    });
  });

  it("resolves references, and keeps recursive ones", () => {
    const schema = {
      $ref: "#/definitions/node",
      definitions: {
        node: {
          type: "object",
          properties: {
            name: { $ref: "#/definitions/text" },
            parts: { type: "array", items: { $ref: "#/definitions/node" } },
          },
        },
        text: { type: "string" },
      },
    };
    const { schema: strict } = toAnswerSchema(schema);
    expect(strict).toMatchObject({
      properties: { name: { type: ["string", "null"] }, parts: { type: "array", items: { $ref: "#/$defs/part1" } } },
      $defs: { part1: { type: "object", properties: { parts: { items: { $ref: "#/$defs/part1" } } } } },
    });
    const validate = new Ajv2020({ strict: false }).compile(strict as object);
    expect(validate({ name: "a", parts: [{ name: "b", parts: [{ name: null, parts: [] }] }] })).toBe(true);
  });

  it("wraps data that is no object, and returns no schema for data of any type", () => {
    expect(toAnswerSchema({ type: "array", items: { type: "number" } })).toMatchObject({
      wrapped: true,
      schema: { properties: { result: { type: "array" } } },
    });
    expect(toAnswerSchema({ type: "string" })).toMatchObject({ wrapped: true });
    expect(
      toAnswerSchema({ anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "null" }] }),
    ).toMatchObject({ wrapped: true });
    for (const open of [{}, { type: "object" }, { type: "object", additionalProperties: { type: "number" } }]) {
      expect(toAnswerSchema(open)).toEqual({ wrapped: false, unexpressed: ["/: the whole"] });
    }
  });

  it("turns objects with arbitrary names into lists of members", () => {
    expect(
      strictOf({ type: "object", properties: { rates: { type: "object", additionalProperties: { type: "number" } } } }),
    ).toMatchObject({
      properties: {
        rates: { type: "array", items: { properties: { key: { type: "string" }, value: { type: "number" } } } },
      },
    });
  });

  it("respects the limits of the strict form", () => {
    const wide = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`p${at}`, { type: "string" }]));
    expect(toAnswerSchema({ type: "object", properties: wide })).toMatchObject({ unexpressed: ["/: the whole"] });
    expect(strictOf({ type: "object", properties: wide })).toBeUndefined();
    let deep: Json = { type: "string" };
    for (let level = 0; level < 11; level += 1) deep = { type: "object", properties: { inner: deep } };
    expect(strictOf(deep)).toBeUndefined();
    const choices = Array.from({ length: 1_001 }, (_, at) => `choice ${at}`);
    expect(toAnswerSchema({ type: "object", properties: { a: { enum: choices } } })).toMatchObject({
      schema: { properties: { a: { type: ["string", "null"] } } },
      unexpressed: ["/a: enum"],
    });
  });

  it("is in the strict form for random schemas", () => {
    const random = new Random(77);
    let strict = 0;
    for (let count = 0; count < 400; count += 1) {
      const schema = randomSchema(random);
      const converted = toAnswerSchema(schema).schema;
      if (converted === undefined) continue;
      strict += 1;
      expect(faultsOf(converted), JSON.stringify(schema)).toEqual([]);
    }
    expect(strict).toBeGreaterThan(200);
  });
});

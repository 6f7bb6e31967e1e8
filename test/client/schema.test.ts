import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonSchemaOf } from "../../client/schema.ts";

describe("jsonSchemaOf", () => {
  test("asks a Standard Schema that knows its JSON Schema", () => {
    const schema = jsonSchemaOf(
      z.object({ total: z.number().describe("With VAT"), kind: z.enum(["a", "b"]).optional() }),
    );
    expect(schema).toMatchObject({
      type: "object",
      properties: { total: { type: "number", description: "With VAT" }, kind: { enum: ["a", "b"] } },
      required: ["total"],
    });
  });

  test("asks a schema that is a function as well", () => {
    const schema = Object.assign(() => true, {
      "~standard": { vendor: "arktype", version: 1, jsonSchema: { input: () => ({ type: "object" }) } },
    });
    expect(jsonSchemaOf(schema)).toEqual({ type: "object" });
  });

  test("passes JSON text and JSON objects as they are, without what JSON leaves out", () => {
    const typebox = {
      [Symbol("kind")]: "Object",
      type: "object",
      properties: { a: { type: "number" } },
      static: undefined,
    };
    expect(jsonSchemaOf(typebox)).toEqual({ type: "object", properties: { a: { type: "number" } } });
    expect(jsonSchemaOf('{"type":"object"}')).toBe('{"type":"object"}');
  });

  test("says what to pass instead of a schema that does not know its JSON Schema", () => {
    const { jsonSchema: _later, ...standard } = z.object({})["~standard"];
    expect(() => jsonSchemaOf({ "~standard": standard })).toThrow(
      new TypeError("This schema of zod does not tell its JSON Schema; pass z.toJSONSchema(schema) instead"),
    );
    expect(() => jsonSchemaOf({ "~standard": { vendor: "valibot" } })).toThrow("pass its JSON Schema instead");
    for (const none of [[], () => 1, new Date()]) expect(() => jsonSchemaOf(none)).toThrow(TypeError);
  });
});

import { describe, expect, it } from "vitest";
import { parseUserSchema } from "../../../../functions/engine/schema/user-schema.ts";

const schemaOf = (given: unknown): unknown => {
  const parsed = parseUserSchema(given);
  return "schema" in parsed ? parsed.schema : `fault: ${parsed.fault}`;
};

describe("parseUserSchema", () => {
  it("accepts JSON Schema of draft 7 or 2020-12, as an object or a string", () => {
    const schema = { type: "object", properties: { a: { type: ["string", "null"] } }, required: ["a"] };
    expect(schemaOf(schema)).toEqual(schema);
    expect(schemaOf(JSON.stringify(schema))).toEqual(schema);
    for (const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2020-12/schema",
      "urn:unknown",
    ]) {
      expect(schemaOf({ ...schema, $schema })).toEqual({ ...schema, $schema });
    }
    const tuple = { type: "array", items: [{ type: "string" }] };
    expect(schemaOf(tuple)).toEqual(tuple);
    expect(schemaOf({})).toEqual({});
  });

  it("reads an object without keywords as a shape", () => {
    expect(
      schemaOf({
        statements: [{ date: "date", total: "number" }],
        paid: true,
        note: "free text",
        when: "2024-01-31",
        n: 7,
      }),
    ).toEqual({
      type: "object",
      properties: {
        statements: {
          type: "array",
          items: {
            type: "object",
            properties: { date: { type: "string", format: "date" }, total: { type: "number" } },
          },
        },
        paid: { type: "boolean" },
        note: { type: "string", description: "free text" },
        when: { type: "string", format: "date" },
        n: { type: "number" },
      },
    });
    expect(schemaOf({ items: [{ sku: "string" }], title: "string" })).toMatchObject({
      type: "object",
      properties: { items: { type: "array" } },
    });
  });

  it.each([
    ["{", "not valid JSON"],
    ["[]", "must be a JSON object"],
    ["7", "must be a JSON object"],
    [null, "must be a JSON object"],
    [{ type: "strin" }, "type"],
    [{ type: "object", properties: { a: { type: 7 } } }, "/properties/a/type"],
    [{ type: "object", required: "a" }, "required"],
    [{ enum: "a" }, "enum"],
    [`${'{"not":'.repeat(5000)}{}${"}".repeat(5000)}`, "levels deep"],
  ])("refuses %j", (given, fault) => {
    expect(schemaOf(given)).toMatch(/^fault: /);
    expect(schemaOf(given)).toContain(fault);
  });
});

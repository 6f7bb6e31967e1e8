import { describe, expect, it } from "vitest";
import { parseSchema } from "../../../../functions/engine/schema/parsed-schema.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const SCHEMA: Json = {
  type: "object",
  properties: {
    kind: { const: "invoice" },
    buyer: { $ref: "#/$defs/party" },
    "a/b": { type: "number" },
    total: { type: "number", "x-calculated": { formula: "{net} * 1.19" } },
    net: { type: "number" },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
  },
  $defs: {
    party: { type: "object", properties: { name: { type: "string" } } },
    line: { type: "object", properties: { sku: { type: "string" } } },
  },
};

describe("ParsedSchema", () => {
  it("has the fields that a document may fill by pointer: no constants, calculated fields and cells of lists", () => {
    expect([...parseSchema(SCHEMA).fields.keys()]).toEqual(["/buyer/name", "/a~1b", "/net"]);
  });

  it("derives each part once", () => {
    const parsed = parseSchema(SCHEMA);
    expect(parsed.shape).toBe(parsed.shape);
    expect(parsed.fields).toBe(parsed.fields);
    expect(parsed.calculated).toBe(parsed.calculated);
    expect(parsed.calculated).toMatchObject({ fields: [{ path: ["total"] }] });
  });

  it("reads the shape of a part with the references of the whole", () => {
    expect(parseSchema(SCHEMA).shapeOf({ $ref: "#/$defs/line" })).toMatchObject({
      kind: "object",
      members: [{ name: "sku" }],
    });
  });

  it.each([true, false, null, "text", { $ref: "#" }, { type: "array" }] as Json[])("reads %j", (schema) => {
    expect([...parseSchema(schema).fields]).toEqual([]);
  });
});

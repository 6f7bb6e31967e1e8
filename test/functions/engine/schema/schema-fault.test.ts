/** Schemas that cannot be used are told from the schema alone, as the validator tells them once there is data. */
import { describe, expect, it } from "vitest";
import { schemaFault } from "../../../../functions/engine/schema/schema-fault.ts";
import { compileSchema } from "../../../../functions/engine/schema/validator.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const of = (property: Json, more: { [member: string]: Json } = {}): Json => ({ properties: { a: property }, ...more });

/** The validator's message without its first words. */
function compileFault(schema: Json): string | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Processing failed: The schema /, "") : "?";
  }
}

const doubled: Json = { anyOf: Array(3).fill({ $ref: "#/$defs/b" }) };

describe("schemaFault of an unusable schema", () => {
  it.each<[string, Json, RegExp]>([
    ["a definition that is not there", of({ $ref: "#/$defs/address" }), /^refers to #\/\$defs\/address, which/],
    ["a file", of({ $ref: "address.json" }), /^refers to address\.json, which/],
    ["an anchor that nothing has", of({ $ref: "#address" }), /^refers to #address, which/],
    ["the same below a name", of({ $ref: "#/$defs/b" }, { $id: "https://example.com/s.json" }), /^refers to #/],
    ["an anchor beside others", of({ $ref: "#c" }, { $defs: { b: { $anchor: "b" } } }), /^refers to #c, which/],
    ["a file beside a named part", of({ $ref: "c.json" }, { $defs: { b: { $id: "b.json" } } }), /^refers to c\.json/],
    [
      "a part of the whole from within a named part",
      of({ $ref: "b.json" }, { $defs: { b: { $id: "b.json", items: { $ref: "#/properties/a" } } } }),
      /^refers to #\/properties\/a, which/,
    ],
    ["one behind another", of({ $ref: "#/$defs/b" }, { $defs: { b: { items: { $ref: "#/c" } } } }), /^refers to #\/c,/],
    ["in a list's items", of({ type: "array", items: { $ref: "#/x" } }), /^refers to/],
    ["in an alternative", of({ anyOf: [{ type: "string" }, { $ref: "#/x" }] }), /^refers to/],
    ["a circle at one place", of({ $ref: "#/$defs/b" }, { $defs: { b: { $ref: "#/$defs/b" } } }), /^refers to itself/],
    ["a pattern that is none", of({ type: "string", pattern: "(" }), /^has a pattern that cannot be used: "\("/],
    [
      "a pattern of names that is none",
      { patternProperties: { "[": { type: "string" } } },
      /^has a pattern that cannot be used: "\["/,
    ],
    ["a pattern that looks back", of({ pattern: "(a)\\1" }), /^has a pattern that cannot be used/],
  ])("%s", (_what, schema, fault) => {
    expect(schemaFault(schema)).toMatch(fault);
    expect(compileFault(schema)).toMatch(fault);
  });
});

describe("schemaFault of a usable schema", () => {
  it.each<[string, Json]>([
    [
      "with definitions, also of each other",
      of({ $ref: "#/$defs/b" }, { $defs: { b: { items: { $ref: "#/$defs/b" } } } }),
    ],
    ["with the whole as a part", of({ type: "array", items: { $ref: "#" } })],
    ["with an anchor", of({ $ref: "#b" }, { $defs: { b: { $anchor: "b", type: "string" } } })],
    ["with names of its own", of({ $ref: "b.json" }, { $defs: { b: { $id: "b.json", type: "string" } } })],
    ["with a name in draft 7", of({ $ref: "#b" }, { definitions: { b: { $id: "#b", type: "string" } } })],
    [
      "with a named part of its own definitions",
      of({ $ref: "b.json" }, { $defs: { b: { $id: "b.json", items: { $ref: "#/$defs/c" }, $defs: { c: {} } } } }),
    ],
    ["with a definition of an unusual name", of({ $ref: "#/$defs/gr%C3%B6%C3%9Fe~1m" }, { $defs: { "größe/m": {} } })],
    [
      "by its own name",
      of({ $ref: "https://example.com/s.json#/$defs/b" }, { $id: "https://example.com/s.json", $defs: { b: {} } }),
    ],
    [
      "whose definitions nobody refers to",
      of({ type: "string" }, { $defs: { b: { $ref: "#/nowhere", pattern: "(" } } }),
    ],
    [
      "with such words as data",
      of({ enum: [{ $ref: "#/x", pattern: "(" }], default: { pattern: "(" }, examples: ["("] }),
    ],
    ["with properties of such names", { properties: { pattern: { type: "string" }, $ref: { type: "string" } } }],
    [
      "of draft 07",
      of(
        { $ref: "#/definitions/b" },
        { definitions: { b: { type: "string" } }, $schema: "http://json-schema.org/draft-07/schema#" },
      ),
    ],
    ["with alternatives", of(doubled, { $defs: { b: { type: "string", pattern: "^[A-Z]{2}\\d+$" } } })],
    ["that takes all", true],
    ["that says nothing", {}],
  ])("%s", (_what, schema) => {
    expect(schemaFault(schema)).toBeUndefined();
    expect(compileFault(schema)).toBeUndefined();
  });

  it("takes bounded time for large and nested schemas", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`p${at}`, { pattern: `^[a-z]{1,${1 + (at % 9)}}$` }]),
    );
    let deep: Json = {};
    for (let level = 0; level < 90; level++) deep = { properties: { a: deep } };
    const started = performance.now();
    expect([schemaFault({ properties: wide }), schemaFault(deep)]).toEqual([undefined, undefined]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

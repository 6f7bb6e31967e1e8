/** Schemas of nodes are held to what will be done with them, before anything starts. */
import { describe, expect, it } from "vitest";
import { acceptPipeline, judgePipeline } from "../../../../functions/core/pipelines/definition.ts";

const END = { id: "end", type: "final", output: 1 };
const read = (schema: unknown) => ({ id: "read", type: "extract", schema });

describe("a node's schema", () => {
  it.each<[string, unknown, RegExp]>([
    [
      "refers to nowhere",
      { properties: { a: { $ref: "#/$defs/b" } } },
      /^The schema refers to #\/\$defs\/b, which is not/,
    ],
    ["refers to nowhere, as a text", '{"properties":{"a":{"$ref":"b.json"}}}', /^The schema refers to b\.json/],
    ["goes round in a circle", { $ref: "#" }, /^The schema refers to itself without end/],
    ["has a pattern that is none", { properties: { a: { pattern: "(" } } }, /^The schema has a pattern/],
  ])("that %s is a fault at its place", (_what, schema, message) => {
    expect(judgePipeline({ nodes: [END, read(schema)] })).toMatchObject({
      valid: false,
      errors: [{ code: "invalid-schema", path: "/nodes/1/schema", message: expect.stringMatching(message) }],
    });
    expect(() => acceptPipeline({ nodes: [END, read(schema)] })).toThrow(/^The pipeline cannot run: The schema/);
  });

  it("that holds all it refers to is none, and is checked in a moment", () => {
    const nodes = Array.from({ length: 99 }, (_, at) => ({
      ...read({ $defs: { [`d${at}`]: { pattern: "^[A-Z]+$" } }, properties: { a: { $ref: `#/$defs/d${at}` } } }),
      id: `read${at}`,
    }));
    const started = performance.now();
    expect(judgePipeline({ nodes: [END, ...nodes] })).toMatchObject({ valid: true, errors: [] });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

/** Checks of nodes' schemas and parameters, before a run starts. */
import { afterAll, describe, expect, it } from "vitest";
import { judgePipeline } from "../../../../functions/engine/nodes/judge-pipeline.ts";
import { acceptPipeline } from "../../../../functions/service/pipelines/check-definition.ts";
import { testPlatform } from "../../../support/platform.ts";

const at = testPlatform();
afterAll(() => at.close());

const END = { id: "end", type: "final", output: 1 };
const read = (schema: unknown) => ({ id: "read", type: "extract", schema });

describe("a node's schema", () => {
  it.each<[string, unknown, RegExp]>([
    [
      "refers to nowhere",
      { properties: { a: { $ref: "#/$defs/b" } } },
      /it refers to #\/\$defs\/b, which is not part of it$/,
    ],
    [
      "refers to nowhere, as a text",
      '{"properties":{"a":{"$ref":"b.json"}}}',
      /it refers to b\.json, which is not part of it$/,
    ],
    ["goes round in a circle", { $ref: "#" }, /^The schema refers to itself without end/],
    ["has a pattern that is none", { properties: { a: { pattern: "(" } } }, /^The schema has a pattern/],
  ])("that %s is refused at its path", async (_what, schema, message) => {
    expect(judgePipeline({ nodes: [END, read(schema)] })).toMatchObject({
      errors: [{ code: "invalid-schema", path: "/nodes/1/schema", message: expect.stringMatching(message) }],
    });
    await expect(acceptPipeline(at.org, { nodes: [END, read(schema)] })).rejects.toThrow(
      /^The pipeline cannot run: The schema/,
    );
  });

  it("with resolvable references is accepted quickly", () => {
    const nodes = Array.from({ length: 99 }, (_, at) => ({
      ...read({ $defs: { [`d${at}`]: { pattern: "^[A-Z]+$" } }, properties: { a: { $ref: `#/$defs/d${at}` } } }),
      id: `read${at}`,
    }));
    const started = performance.now();
    expect(judgePipeline({ nodes: [END, ...nodes] })).toMatchObject({ errors: [], outline: {} });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("an operation node's parameters", () => {
  const node = (more: object) => ({ nodes: [{ id: "o", type: "operation", ...more }, END] });
  const task = (more: object) => node({ operation: "generative_task", ...more });

  it.each<[string, object, string[]]>([
    ["none", task({}), ["/nodes/0/config/prompt"]],
    [
      "a text that is none",
      task({ config: { prompt: 5, temperature: 9 } }),
      ["/nodes/0/config/prompt", "/nodes/0/config/temperature"],
    ],
    ["an input without it", task({ input: { tone: "$ocr.content" } }), ["/nodes/0/config/prompt"]],
    ["an input that is no object", task({ input: "Summarize" }), ["/nodes/0/config/prompt"]],
    [
      "a faulty one in the input",
      task({ config: { prompt: "Summarize" }, input: { maxTokens: 0 } }),
      ["/nodes/0/input/maxTokens"],
    ],
    [
      "by its other name",
      node({ operation: "image-select", config: { prompt: "plan", top_k: 0 } }),
      ["/nodes/0/config/top_k"],
    ],
  ])("are checked as those of POST /operation: %s", (_what, definition, paths) => {
    const { errors } = judgePipeline(definition);
    expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual(paths.map((path) => `invalid-parameter ${path}`));
  });

  it.each<[string, object]>([
    ["in the configuration", task({ config: { prompt: "Summarize", temperature: "0.5" } })],
    ["written in the input", task({ input: { prompt: "Summarize" } })],
    ["of another node or input", task({ input: { prompt: "$inputs.wish" } })],
    ["of a whole value that comes later", task({ input: "$inputs.wish" })],
    ["not needed", node({ operation: "error-analysis" })],
  ])("are accepted: %s", (_what, definition) => {
    expect(judgePipeline({ ...definition, inputs: { wish: { kind: "literal", value: "x" } } }).errors).toEqual([]);
  });
});

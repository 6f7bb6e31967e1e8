/** Parsing of well-formed definitions: defaults, alternative names, warnings. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";
import { FINAL, node, read } from "./parse.support.ts";

const top = (members: JsonObject) => read({ nodes: [FINAL], ...members });

describe("parseDefinition", () => {
  it("applies the defaults", () => {
    const { definition, warnings } = top({});
    expect(definition).toEqual({
      version: "2026-05",
      description: null,
      ocr: {
        mode: null,
        sourceLocations: false,
        qualityArtifact: false,
        extractFigures: false,
        describeFigures: false,
      },
      maxNodes: 10,
      execution: "inline",
      resources: {},
      inputs: {},
      nodes: [expect.objectContaining({ id: "f", dependsOn: [], when: null, onError: "fail", timeoutSeconds: null })],
      finals: null,
    });
    expect(warnings).toEqual([]);
    expect(Object.isFrozen(definition)).toBe(true);
  });

  it("treats null as absent", () => {
    const absent = {
      version: null,
      description: null,
      ocr: null,
      concurrency: null,
      execution: null,
      finals: null,
      inputs: null,
    };
    expect(top(absent).definition).toEqual(top({}).definition);
    expect(node({ type: "extract", when: null, dependsOn: null, source: null, prompt: null, llm: null }).node).toEqual(
      node({ type: "extract" }).node,
    );
  });

  it("accepts only the current version", () => {
    expect(top({ version: "2026-05" }).definition.version).toBe("2026-05");
  });

  it.each([
    [{ concurrency: { maxNodes: 3 } }, 3],
    [{ maxNodes: 4 }, 4],
    [{ concurrency: { maxNodes: 100_000 } }, 100_000],
  ])("reads the concurrency limit from %j", (members, most) => {
    expect(top(members).definition.maxNodes).toBe(most);
  });

  it.each([[{ execution: { mode: "queue" } }], [{ executionMode: "queue" }], [{ executionMode: "QUEUE" }]])(
    "reads the mode of execution from %j",
    (members) => {
      expect(top(members)).toMatchObject({ definition: { execution: "queue" }, warnings: [] });
    },
  );

  it("warns which of two alternative names it follows", () => {
    const both = { concurrency: { maxNodes: 3 }, maxNodes: 4, execution: { mode: "queue" }, executionMode: "inline" };
    const { definition, warnings } = top({ ...both, finals: ["f"], finalOrder: ["f"] });
    expect(definition).toMatchObject({ maxNodes: 3, execution: "queue" });
    expect(warnings).toEqual([
      'The member "maxNodes" at / is ignored, because /concurrency/maxNodes says the same',
      'The member "executionMode" at / is ignored, because /execution/mode says the same',
      'The member "finalOrder" at / is ignored, because /finals says the same',
    ]);
  });

  it.each([[{ finals: [{ node: "f" }] }], [{ finals: ["f"] }], [{ finalOrder: ["f"] }]])(
    "reads candidates from %j",
    (members) => {
      expect(top(members).definition.finals?.map(({ id }) => id)).toEqual(["f"]);
    },
  );

  it("warns about unknown members anywhere, and goes on", () => {
    const { warnings } = read({
      owner: 1,
      ocr: { mode: "auto", retainRawContent: true },
      concurrency: { most: 1 },
      finals: [{ node: "f", weight: 2 }],
      inputs: { x: { kind: "literal", value: 1, note: "" } },
      nodes: [
        { ...FINAL, colour: "red" },
        {
          id: "v",
          type: "validate",
          validator: "bucket",
          input: 1,
          config: { buckets: [{ name: "a", step: 1 }], round: 1 },
        },
        { id: "t", type: "transform", transform: "pick", input: 1, config: { fields: ["a"], strict: true } },
        { id: "e", type: "extract", output: 1, llm: { tier: "mini", temperature: 0 } },
      ],
    });
    expect(warnings.map((one) => /"(\w+)" at (\S+) is unknown/.exec(one)?.slice(1).join(" ")).sort()).toEqual(
      [
        "colour /nodes/0",
        "most /concurrency",
        "note /inputs/x",
        "output /nodes/3",
        "owner /",
        "retainRawContent /ocr",
        "round /nodes/1/config",
        "step /nodes/1/config/buckets/0",
        "strict /nodes/2/config",
        "weight /finals/0",
      ].sort(),
    );
  });

  it("warns about final nodes that are not candidates, and about nodes that never run", () => {
    const nodes = [FINAL, { id: "g", type: "final", output: 1, when: { eq: [1, 2] } }];
    expect(read({ nodes, finals: ["f"] }).warnings).toEqual([
      'The final node "g" is no candidate: "finals" does not name it',
      'The node "g" never runs: its condition compares values that differ',
    ]);
  });
});

describe("parseDefinition: inputs", () => {
  it.each<[Json, Json]>([
    [
      { kind: "literal", value: { a: 1 }, pointer: "/a" },
      { kind: "literal", value: { a: 1 }, pointer: "/a" },
    ],
    [
      { kind: "literal", value: null },
      { kind: "literal", value: null, pointer: null },
    ],
    [
      { kind: "nodeArtifact", nodeId: "f" },
      { kind: "nodeArtifact", nodeId: "f", pointer: null },
    ],
    [{ a: 1 }, { kind: "literal", value: { a: 1 }, pointer: null }],
    [[1], { kind: "literal", value: [1], pointer: null }],
    ["$12", { kind: "literal", value: "$12", pointer: null }],
    [null, { kind: "literal", value: null, pointer: null }],
  ])("are read from %j", (given, input) => {
    expect(top({ inputs: { x: given } }).definition.inputs).toEqual({ x: input });
  });

  it("may have any name", () => {
    const inputs = JSON.parse('{"__proto__": 1, "a.b": 2}');
    expect(Object.entries(top({ inputs }).definition.inputs).map(([name]) => name)).toEqual(["__proto__", "a.b"]);
  });
});

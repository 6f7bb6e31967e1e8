/** What a definition says when all is well with it: defaults, names that are read twice, warnings. */
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import type { PipelineDefinition, PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";

const FINAL: JsonObject = { id: "f", type: "final", output: 1 };

function read(given: Json): { definition: PipelineDefinition; warnings: readonly string[] } {
  const checked = checkPipeline(given, CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.pipeline;
}

const top = (members: JsonObject) => read({ nodes: [FINAL], ...members });

function node(
  own: JsonObject,
  around: JsonObject = {},
): { node: PipelineNode | undefined; warnings: readonly string[] } {
  const { definition, warnings } = read({ nodes: [{ id: "a", ...own }, FINAL], ...around });
  return { node: definition.nodes[0], warnings };
}

describe("a definition", () => {
  it("has defaults", () => {
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

  it("takes null for absent", () => {
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

  it("takes a version only as what it is", () => {
    expect(top({ version: "2026-05" }).definition.version).toBe("2026-05");
  });

  it.each([
    [{ concurrency: { maxNodes: 3 } }, 3],
    [{ maxNodes: 4 }, 4],
    [{ concurrency: { maxNodes: 100_000 } }, 100_000],
  ])("reads the most nodes at once from %j", (members, most) => {
    expect(top(members).definition.maxNodes).toBe(most);
  });

  it.each([[{ execution: { mode: "queue" } }], [{ executionMode: "queue" }], [{ executionMode: "QUEUE" }]])(
    "reads the mode of execution from %j",
    (members) => {
      expect(top(members)).toMatchObject({ definition: { execution: "queue" }, warnings: [] });
    },
  );

  it("says which of two names it follows", () => {
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

  it("names unknown members wherever they stand, and goes on", () => {
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

  it("names final nodes that are no candidates, and nodes that never run", () => {
    const nodes = [FINAL, { id: "g", type: "final", output: 1, when: { eq: [1, 2] } }];
    expect(read({ nodes, finals: ["f"] }).warnings).toEqual([
      'The final node "g" is no candidate: "finals" does not name it',
      'The node "g" never runs: its condition compares values that differ',
    ]);
  });
});

describe("inputs", () => {
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

describe("a node", () => {
  it("of the type extract has defaults", () => {
    expect(node({ type: "extract" }).node).toMatchObject({
      source: { kind: "path", root: "ocr", steps: ["content"] },
      input: null,
      prompt: null,
      schema: null,
      tools: [],
      imageIndices: null,
      tier: "default",
      sourceLocations: false,
      granularity: "auto",
      calculatedFields: true,
    });
  });

  it.each([
    [{ llm: { tier: "NANO" } }, "nano"],
    [{ llm_tier: "mini" }, "mini"],
    [{ llm: { tier: "high" }, llm_tier: "mini" }, "high"],
    [{ llm: { model: "x" }, llm_tier: "mini" }, "mini"],
  ])("reads its tier from %j", (own, tier) => {
    expect(node({ type: "extract", ...own }).node).toMatchObject({ tier });
  });

  it("reads a schema from JSON in a text, and images by both names", () => {
    expect(node({ type: "extract", schema: '{"type":"object"}' }).node).toMatchObject({ schema: { type: "object" } });
    expect(node({ type: "extract", schema: " " }).node).toMatchObject({ schema: null });
    expect(node({ type: "extract", images: [0, 2] }).node).toMatchObject({ imageIndices: [0, 2] });
    expect(node({ type: "extract", imageIndices: [1] }).node).toMatchObject({ imageIndices: [1] });
  });

  it("gives a tool what its resource says; the tool's own members win", () => {
    const resources = [
      { id: "kb", type: "case", config: { caseId: 7, topK: 3 }, note: "resource" },
      { id: "other", caseId: "8" },
    ];
    const search = { type: "KNOWLEDGE_BASE_SEARCH" };
    const tools = [
      { ...search, resource: "kb", note: "tool", config: { topK: 9 } },
      search,
      { ...search, config: { resource: "kb" } },
    ];
    expect(node({ type: "extract", resource: "other", tools }, { resources }).node).toMatchObject({
      tools: [
        { type: "KNOWLEDGE_BASE_SEARCH", resource: "kb", config: { caseId: 7, topK: 9 }, note: "tool" },
        { type: "KNOWLEDGE_BASE_SEARCH", caseId: "8" },
        { type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: 7, topK: 3 }, note: "resource" },
      ],
    });
    const own = { ...search, knowledgeBaseId: 5 };
    expect(node({ type: "extract", tools: [own] }, { resources }).node).toMatchObject({ tools: [own] });
  });

  it("reads types, and what else is of a list, without regard to case", () => {
    expect(node({ type: "ocr-correct", sourceMap: "COMPRESS" }).node).toMatchObject({
      type: "OCR_CORRECT",
      source: null,
      sourceMap: "compress",
      outputFormat: "plain",
    });
    expect(node({ type: "operation", operation: "OCR_CORRECT" }).node).toMatchObject({ operation: "ocr-correct" });
  });

  it("reads buckets and default from its configuration or beside it", () => {
    const buckets = [
      { name: "low", max: 3 },
      { name: "high", min: 3.5 },
    ];
    const read = [
      { name: "low", min: null, max: 3 },
      { name: "high", min: 3.5, max: null },
    ];
    const validate = { type: "validate", validator: "bucket", input: 1 };
    expect(node({ ...validate, config: { buckets, default: "?" } }).node).toMatchObject({
      buckets: read,
      otherwise: "?",
    });
    expect(node({ ...validate, buckets, default: "?" }).node).toMatchObject({ buckets: read, otherwise: "?" });
    expect(node({ ...validate, config: { buckets } }).node).toMatchObject({ buckets: read, otherwise: null });
    const both = node({ ...validate, config: { buckets, default: 1 }, default: 2, buckets: [] });
    expect(both).toMatchObject({
      node: { buckets: read, otherwise: 1 },
      warnings: [/"buckets"/, /"default"/].map((one) => expect.stringMatching(one)),
    });
  });

  it("takes a long timeout for all the time there is", () => {
    expect(node({ type: "extract", timeoutSeconds: 3600 }).node).toMatchObject({ timeoutSeconds: 300 });
    expect(node({ type: "extract", timeoutSeconds: 12 }).node).toMatchObject({ timeoutSeconds: 12 });
  });

  it("takes a bare id for a result in source, in input and as a whole output, and deeper for a text", () => {
    const nodes = [
      { id: "a", type: "extract" },
      { id: "b", type: "extract", source: "a", input: ["a", "x", { of: "a" }] },
      { id: "c", type: "OCR_CORRECT", input: "a" },
      { id: "d", type: "final", output: "a" },
      { id: "e", type: "final", output: { branch: "a", list: ["a"] } },
    ];
    const path = expect.objectContaining({ kind: "path", root: "node", name: "a", steps: [] });
    const text = (value: string) => ({ kind: "literal", value });
    const { definition } = read({ nodes });
    expect(definition.nodes).toMatchObject([
      {},
      {
        source: path,
        input: { kind: "list", items: [path, text("x"), { kind: "object", members: [["of", text("a")]] }] },
      },
      { source: path, sourceMember: "input" },
      { output: path },
      {
        output: {
          kind: "object",
          members: [
            ["branch", text("a")],
            ["list", { kind: "list", items: [text("a")] }],
          ],
        },
      },
    ]);
  });

  it("takes the dollar sign that is written twice for one", () => {
    expect(read({ nodes: [{ ...FINAL, output: { price: "$$12" } }] }).definition.nodes[0]).toMatchObject({
      output: { members: [["price", { kind: "literal", value: "$12" }]] },
    });
  });
});

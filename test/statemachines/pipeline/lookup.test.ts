/** Values of expressions, as the contract defines them. */
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import type { PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import type { Json, JsonObject } from "../../../statemachines/pipeline/diagnostics.ts";
import {
  type EvaluationContext,
  evaluateTemplate,
  lookUpFacts,
  type NodeStatus,
} from "../../../statemachines/pipeline/lookup.ts";
import { templatesOf } from "../../../statemachines/pipeline/nodes/kinds.ts";
import { CHECKS } from "../../support/oracle/checks.ts";

const RESULT: Json = {
  total: 12,
  status: "own",
  nothing: null,
  "a.b": "dotted",
  list: [["x", { y: "deep" }], "second"],
  o: { "0": "member" },
};
const NODES: JsonObject[] = [
  { id: "read", type: "extract" },
  { id: "gone", type: "extract", onError: "continue" },
];
const STATES: Record<string, NodeStatus> = { read: "COMPLETED", gone: "FAILED" };

function checked(nodes: JsonObject[], more: JsonObject = {}) {
  const pipeline = checkPipeline({ nodes: [...NODES, ...nodes], ...more }, CHECKS);
  if (!pipeline.ok) throw new Error(JSON.stringify(pipeline.faults));
  const world: EvaluationContext = {
    definition: pipeline.pipeline.definition,
    ocr: async (part) =>
      ({
        content: "all of it",
        pages: [{ pageNumber: 1, content: "one" }],
        quality: { category: "Confident", score: 0.8, escalate: false },
      })[part],
    document: { guid: "g", fileName: null, mimeType: "text/plain", pageCount: 1 },
    metadata: { who: "me", tags: ["a", "b"] },
    node: async (id) => ({ status: STATES[id] ?? "PENDING", result: id === "read" ? RESULT : undefined }),
  };
  return { ...pipeline.pipeline, world };
}

async function given(output: Json, more: JsonObject = {}): Promise<Json> {
  const { definition, world } = checked([{ id: "end", type: "final", output }], more);
  const end = definition.nodes.at(-1);
  return end?.type === "final" ? evaluateTemplate(end.output, world) : null;
}

describe("evaluateTemplate", () => {
  it.each<[string, Json]>([
    ["$nodes.read.result.total", 12],
    ["$nodes.read.total", 12],
    ["$nodes.read", RESULT],
    ["$nodes.read.result", RESULT],
    ["$nodes.read.status", "COMPLETED"],
    ["$nodes.read.result.status", "own"],
    ["$nodes.gone.status", "FAILED"],
    ["$nodes.gone.result", null],
    ["$nodes.gone.result.total", null],
    ["$nodes.read.result.list[0][1].y", "deep"],
    ["$nodes.read.result.list.0.1.y", "deep"],
    ["$nodes.read.list[0].1['y']", "deep"],
    ["$nodes.read.list[1]", "second"],
    ["$nodes.read.list[2]", null],
    ["$nodes.read.list[01]", null],
    ["$nodes.read.list.length", null],
    ["$nodes.read.o.0", "member"],
    ["$nodes.read.o[0]", "member"],
    ["$nodes.read['a.b']", "dotted"],
    ["$nodes.read.a.b", null],
    ["$nodes.read.total.more", null],
    ["$nodes.read.constructor", null],
    ["$nodes.read.result.__proto__", null],
    ["$nodes.read.nothing", null],
    ["$ocr.content", "all of it"],
    ["$ocr.pages[0].content", "one"],
    ["$ocr.pages.0.content", "one"],
    ["$ocr.pages[1].content", null],
    ["$ocr.quality.category", "Confident"],
    ["$ocr.quality.escalate", false],
    ["$document.pageCount", 1],
    ["$document.fileName", null],
    ["$.metadata.who", "me"],
    ["$.metadata.tags[1]", "b"],
    ["$.metadata.nobody", null],
    ["$$nodes.read", "$nodes.read"],
    ["$$", "$"],
    ["$$$5", "$$5"],
    ["5 $", "5 $"],
    ["read", RESULT],
  ])("evaluates %s", async (output, value) => {
    expect(await given(output)).toEqual(value);
  });

  it("resolves paths anywhere in a template, and keeps ids in objects as texts", async () => {
    const output = { read: "read", list: ["read", "$nodes.read.total", { price: "$$12" }], "$nodes.read": 1, "": null };
    expect(await given(output)).toEqual({
      read: "read",
      list: ["read", 12, { price: "$12" }],
      "$nodes.read": 1,
      "": null,
    });
    expect(JSON.stringify(await given(JSON.parse('{"__proto__":["$nodes.read.total"]}')))).toBe('{"__proto__":[12]}');
  });

  it.each<[JsonObject, string, Json]>([
    [{ x: { kind: "literal", value: { "a/b": [{ "~": 7 }] }, pointer: "/a~1b/0/~0" } }, "$inputs.x", 7],
    [{ x: { kind: "literal", value: { a: [1, 2] } } }, "$inputs.x.a[1]", 2],
    [{ x: { kind: "literal", value: { a: [1, 2] }, pointer: "" } }, "$inputs.x.a.0", 1],
    [{ x: { kind: "literal", value: [1], pointer: "/00" } }, "$inputs.x", null],
    [{ x: { kind: "literal", value: [1], pointer: "/-" } }, "$inputs.x", null],
    [{ x: { kind: "literal", value: { "": 1 }, pointer: "/" } }, "$inputs.x", 1],
    [{ x: { kind: "literal", value: "$nodes.read" } }, "$inputs.x", "$nodes.read"],
    [{ x: { kind: "nodeArtifact", nodeId: "read", pointer: "/list/0/1" } }, "$inputs.x.y", "deep"],
    [{ x: { kind: "nodeArtifact", nodeId: "read" } }, "$inputs.x.total", 12],
    [{ x: { kind: "nodeArtifact", nodeId: "gone", pointer: "/total" } }, "$inputs.x", null],
    [{ x: { some: "object" } }, "$inputs.x.some", "object"],
    [{ x: "bare" }, "$inputs.x", "bare"],
    [{ x: null }, "$inputs.x", null],
  ])("reads the input %j", async (inputs, output, value) => {
    expect(await given({ value: output }, { inputs })).toEqual({ value });
  });

  it("waits for the node behind an input", () => {
    const inputs = { x: { kind: "nodeArtifact", nodeId: "read" } };
    const { graph } = checked([{ id: "end", type: "final", output: ["$inputs.x"] }], { inputs });
    expect(graph.dependencies).toEqual([[], [], [0]]);
  });
});

describe("a bare id", () => {
  const templateIn = async (node: JsonObject): Promise<Json> => {
    const { definition, world } = checked([node, { id: "end", type: "final", output: 1 }]);
    const [found] = templatesOf(definition.nodes[2] as PipelineNode);
    return found === undefined ? null : evaluateTemplate(found.template, world);
  };

  it("means the node's result in source, input and lists, and a text in objects", async () => {
    const merge = { id: "m", type: "transform", transform: "merge" };
    expect(await templateIn({ id: "x", type: "extract", source: "read" })).toEqual(RESULT);
    expect(await templateIn({ id: "x", type: "OCR_CORRECT", source: "read" })).toEqual(RESULT);
    expect(await templateIn({ ...merge, input: "read" })).toEqual(RESULT);
    expect(await templateIn({ ...merge, input: ["read", "gone", "nobody"] })).toEqual([RESULT, null, "nobody"]);
    expect(await templateIn({ ...merge, input: [{ a: "read" }] })).toEqual([{ a: "read" }]);
  });
});

describe("lookUpFacts", () => {
  it("gives null for a missing value, and the text null for an explicit null", async () => {
    const when = {
      and: [
        { eq: ["$nodes.read.total", 12] },
        { eq: ["$nodes.read.nothing", null] },
        { exists: "$nodes.read.absent" },
        { ne: ["$nodes.read.list[1]", "x"] },
        { exists: "$nodes.read.list" },
      ],
    };
    const { facts, world } = checked([{ id: "end", type: "final", when, output: 1 }]);
    const found = await lookUpFacts(facts.pathsByProducer.get(0) ?? [], world);
    expect(found).toEqual({ f0: "12", f1: "null", f2: null, f3: '"second"', f4: '[["x",{"y":"deep"}],"second"]' });
  });
});

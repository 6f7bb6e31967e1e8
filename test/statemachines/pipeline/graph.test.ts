/** From a definition to its graph: implied dependencies, and candidates that wait for each other. */
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import { ConditionReader, constantOf, pathsOf } from "../../../statemachines/pipeline/conditions.ts";
import { Findings } from "../../../statemachines/pipeline/diagnostics.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";

function graphOf(nodes: JsonObject[], members: JsonObject = {}) {
  const checked = checkPipeline({ nodes, ...members }, CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.pipeline.graph;
}

const extract = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: "extract", ...more });
const final = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: "final", output: 1, ...more });

describe("buildGraph: dependencies", () => {
  it.each<[string, JsonObject]>([
    ["named", { dependsOn: ["a"] }],
    ["of a source", { source: "$nodes.a.result.x" }],
    ["of a bare id", { source: "a" }],
    ["of an input", { input: { deep: [{ x: "$nodes.a" }] } }],
    ["of a bare id in a list", { input: ["x", "a"] }],
    ["of a condition", { when: { not: { and: [{ eq: [1, "$nodes.a.status"] }] } } }],
    ["of an input of the pipeline", { input: "$inputs.a" }],
    ["of an input of the pipeline in a condition", { when: { exists: "$inputs.a.x" } }],
  ])("are found: %s", (_what, more) => {
    const inputs = { a: { kind: "nodeArtifact", nodeId: "a" } };
    expect(graphOf([extract("b", more), extract("a"), final("f")], { inputs }).dependencies).toEqual([[1], [], []]);
  });

  it("occur once each, and only for real references", () => {
    const more = {
      dependsOn: ["a", "a"],
      source: "a",
      when: { exists: "$nodes.a" },
      prompt: "$nodes.f",
      input: "$$nodes.f",
    };
    expect(graphOf([extract("a"), extract("b", more), final("f", { output: { of: "b" } })]).dependencies).toEqual([
      [],
      [0],
      [],
    ]);
  });

  it("include those of an output", () => {
    expect(graphOf([extract("a"), extract("b"), final("f", { output: ["$nodes.b.x"] })]).dependencies[2]).toEqual([1]);
    expect(graphOf([extract("a"), final("f", { output: "a" })]).dependencies[1]).toEqual([0]);
  });
});

describe("buildGraph: candidates", () => {
  it("are the final nodes in order, or those that `finals` names", () => {
    const nodes = [final("x"), extract("a"), final("y")];
    expect(graphOf(nodes).finals).toEqual([0, 2]);
    expect(graphOf(nodes, { finals: [{ node: "y" }, "a"] }).finals).toEqual([2, 1]);
    expect(graphOf(nodes, { finalOrder: ["a"] }).finals).toEqual([1]);
  });

  it("wait for earlier candidates, except those that wait for them", () => {
    expect(graphOf([final("x"), final("y"), final("z")]).earlierCandidates).toEqual([[], [0], [0, 1]]);
    const depending = [final("late", { output: "$nodes.early" }), final("early")];
    expect(graphOf(depending).earlierCandidates).toEqual([[], []]);
    expect(graphOf([extract("a"), final("f")], { finals: ["a", "f"] }).earlierCandidates).toEqual([[], [0]]);
    expect(graphOf([extract("a"), final("f")], { finals: ["f", "a"] }).earlierCandidates).toEqual([[], []]);
  });

  it("form no cycle, directly or through other nodes", () => {
    // z before x before y by their order; x waits for a, which waits for y.
    const nodes = [final("y"), extract("a", { source: "y" }), final("x", { dependsOn: ["a"] }), final("z")];
    const { earlierCandidates, order } = graphOf(nodes, { finals: ["z", "x", "y"] });
    expect(earlierCandidates).toEqual([[3], [], [3], []]);
    expect(order.sorted).toEqual([3, 0, 1, 2]);
  });
});

describe("a condition", () => {
  const read = (given: Json) => {
    const findings = new Findings();
    const condition = new ConditionReader(findings).read(given, "");
    if (condition === undefined || findings.faults.length > 0) throw new Error(JSON.stringify(findings.faults));
    return condition;
  };

  it.each<[Json, boolean | undefined]>([
    [{ eq: [1, 1.0] }, true],
    [
      {
        eq: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      true,
    ],
    [{ eq: ["1", 1] }, false],
    [{ ne: ["1", 1] }, true],
    [{ eq: ["$$a", "$$a"] }, true],
    [{ eq: [null, null] }, true],
    [{ exists: "$ocr" }, undefined],
    [{ eq: ["$ocr.content", 1] }, undefined],
    [{ not: { eq: [1, 1] } }, false],
    [{ and: [{ exists: "$ocr" }, { eq: [1, 2] }] }, false],
    [{ and: [{ exists: "$ocr" }, { eq: [1, 1] }] }, undefined],
    [{ and: [{ eq: [1, 1] }] }, true],
    [{ or: [{ exists: "$ocr" }, { eq: [1, 1] }] }, true],
    [{ or: [{ exists: "$ocr" }, { eq: [1, 2] }] }, undefined],
    [{ or: [{ eq: [1, 2] }] }, false],
  ])("%j is always %s", (given, constant) => {
    expect(constantOf(read(given))).toBe(constant);
  });

  it("yields every path that it reads", () => {
    const given = {
      or: [{ not: { exists: "$ocr" } }, { and: [{ eq: ["$nodes.a", "$nodes.b"] }, { ne: [1, "$nodes.c"] }] }],
    };
    expect([...pathsOf(read(given))].map(({ text }) => text)).toEqual(["$ocr", "$nodes.a", "$nodes.b", "$nodes.c"]);
  });
});

describe("the conditions of a pipeline", () => {
  const whenOf = (parts: number) => ({ or: Array.from({ length: parts }, (_, at) => ({ eq: ["$ocr.content", at] })) });
  const faultsOf = (conditions: number) => {
    const full = Array.from({ length: 10 }, (_, at) => ({ id: `n${at}`, type: "extract", when: whenOf(199) }));
    const last = { id: "end", type: "final", output: 1, ...(conditions === 0 ? {} : { when: whenOf(conditions) }) };
    const checked = checkPipeline({ nodes: [...full, last] }, CHECKS);
    return checked.ok ? [] : checked.faults.map(({ code, path, message }) => `${code} ${path}: ${message}`);
  };

  it("are 2,000 at most, counted over all nodes while they are read", () => {
    expect(faultsOf(0)).toEqual([]);
    expect(faultsOf(150)).toEqual([
      "too-many /nodes/10/when: A pipeline may have at most 2,000 conditions; join or leave out some",
    ]);
  });
});

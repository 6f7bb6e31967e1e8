/** Plans: no wait that nesting can avoid, and never more nodes at once than allowed. */
import { describe, expect, it } from "vitest";
import { lowerBound } from "../../../bench/schedule/dispatch.ts";
import { randomGraph, SHAPES } from "../../../bench/schedule/graphs.ts";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { makespanOf, nodesOf, widthOf } from "../../../statemachines/pipeline/plan/measures.ts";
import { connectedComponents, orderOf } from "../../../statemachines/pipeline/plan/order.ts";
import { nodePlan, type Plan, parallelPlan, seriesPlan } from "../../../statemachines/pipeline/plan/plan.ts";
import { schedule } from "../../../statemachines/pipeline/plan/schedule.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { JsonObject } from "../../support/oracle/scenario.ts";
import { waitsOf } from "../../support/plans.ts";

const GRAPHS_PER_SHAPE = 12;

describe("orderOf", () => {
  it("knows direct and indirect predecessors", () => {
    const order = orderOf([[], [0], [1, 0], []]);
    expect(order.predecessors).toEqual([[], [0], [1], []]);
    expect(order.precedes(0, 2)).toBe(true);
    expect(order.precedes(2, 0)).toBe(false);
    expect(order.precedes(0, 3)).toBe(false);
    expect(order.sorted).toEqual([0, 1, 2, 3]);
    expect(() => orderOf([[1], [0]])).toThrow(RangeError);
    expect(() => orderOf([[7]])).toThrow(RangeError);
  });

  it("splits into its connected components", () => {
    expect(connectedComponents([0, 1, 2, 3, 4], (a, b) => (a + b) % 2 === 0)).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
  });
});

describe("schedule", () => {
  it.each(SHAPES)("keeps every dependency and the limit of %s graphs", (shape) => {
    for (let seed = 1; seed <= GRAPHS_PER_SHAPE; seed += 1) {
      const graph = randomGraph(shape, seed);
      const order = orderOf(graph.dependencies);
      for (const limit of [1, 2, 4, order.size]) {
        const plan = schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit });
        expect(nodesOf(plan).sort((a, b) => a - b)).toEqual(order.sorted.toSorted((a, b) => a - b));
        expect(widthOf(plan, () => 1)).toBeLessThanOrEqual(limit);
        const waits = waitsOf(plan);
        for (const [node, firsts] of graph.dependencies.entries())
          expect(waits.get(node)).toEqual(expect.arrayContaining(firsts));
      }
    }
  });

  it("adds no wait to a series-parallel order, and takes as long as its longest chain", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const graph = randomGraph("series-parallel", seed, seed % 4 === 0 ? 99 : undefined);
      const order = orderOf(graph.dependencies);
      const plan = schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit: order.size });
      for (const [node, waits] of waitsOf(plan)) expect(waits.every((first) => order.precedes(first, node))).toBe(true);
      const span = makespanOf(plan, (node) => graph.actual[node] ?? 0);
      expect(span).toBeCloseTo(lowerBound(order, graph, order.size), 6);
    }
  });

  it("makes the cheaper side wait where nesting cannot express the order", () => {
    // 0 precedes 2; 1 precedes 2 and 3.
    const order = orderOf([[], [], [0, 1], [1]]);
    const plan = (durations: number[]) => schedule({ order, duration: (node) => durations[node] ?? 0, limit: 4 });
    expect(plan([1, 1, 9, 1])).toEqual(
      seriesPlan([parallelPlan([nodePlan(0), nodePlan(1)]), parallelPlan([nodePlan(2), nodePlan(3)])]),
    );
    const waits = waitsOf(plan([1, 9, 1, 9]));
    expect(waits.get(0)).toEqual([]);
  });

  it("gives the same plan every time", () => {
    const graph = randomGraph("layered", 3);
    const order = orderOf(graph.dependencies);
    const plan = () => schedule({ order, duration: (node) => graph.expected[node] ?? 0, limit: 3 });
    expect(JSON.stringify(plan())).toBe(JSON.stringify(plan()));
  });
});

describe("a plan", () => {
  it("has the width and the makespan of its parts", () => {
    const pool = parallelPlan(
      [nodePlan(0), seriesPlan([nodePlan(1), parallelPlan([nodePlan(2), nodePlan(3)])]), nodePlan(4)],
      2,
    );
    expect(widthOf(pool, () => 1)).toBe(3);
    expect(widthOf(pool, (node) => (node === 2 ? 0 : 1))).toBe(2);
    expect(makespanOf(pool, () => 2)).toBe(4);
    expect(makespanOf(parallelPlan([nodePlan(0), nodePlan(1), nodePlan(2)], 1), (node) => node + 1)).toBe(6);
  });

  it("has no needless levels", () => {
    expect(seriesPlan([nodePlan(0)])).toEqual(nodePlan(0));
    expect(seriesPlan([nodePlan(0), seriesPlan([nodePlan(1), nodePlan(2)])])).toEqual(
      seriesPlan([nodePlan(0), nodePlan(1), nodePlan(2)]),
    );
    expect(parallelPlan([nodePlan(0), parallelPlan([nodePlan(1), nodePlan(2)])])).toEqual(
      parallelPlan([nodePlan(0), nodePlan(1), nodePlan(2)]),
    );
    expect(parallelPlan([nodePlan(0), nodePlan(1)], 2)).toEqual(parallelPlan([nodePlan(0), nodePlan(1)]));
  });
});

describe("placeComputing", () => {
  const planOf = (nodes: JsonObject[], maxNodes = 10): Plan => {
    const compilation = compilePipeline({ nodes, maxNodes }, CHECKS);
    if (!compilation.ok) throw new Error(JSON.stringify(compilation.faults));
    return compilation.pipeline.plan;
  };
  const extract = (id: string, ...dependsOn: string[]): JsonObject => ({ id, type: "extract", dependsOn });
  const merge = (id: string, ...input: string[]): JsonObject => ({ id, type: "transform", transform: "merge", input });
  const final = (id: string, ...dependsOn: string[]): JsonObject => ({ id, type: "final", output: 1, dependsOn });

  it("puts a compute node right behind its dependencies, inside their branch", () => {
    const nodes = [extract("a"), extract("b"), merge("m", "a"), extract("c", "m"), final("f", "c", "b")];
    expect(planOf(nodes)).toEqual(
      seriesPlan([parallelPlan([seriesPlan([nodePlan(0), nodePlan(2), nodePlan(3)]), nodePlan(1)]), nodePlan(4)]),
    );
  });

  it("does not count compute nodes towards the limit, and adds no wait", () => {
    const nodes = [merge("m"), extract("a"), merge("n", "m"), final("f", "a")];
    expect(planOf(nodes, 1)).toEqual(seriesPlan([nodePlan(0), nodePlan(2), nodePlan(1), nodePlan(3)]));
    expect(planOf([merge("m"), final("f", "m")])).toEqual(seriesPlan([nodePlan(0), nodePlan(1)]));
  });

  it("puts a compute node behind all branches when it depends on several", () => {
    const nodes = [extract("a"), extract("b"), extract("c"), merge("m", "a", "b"), final("f", "m")];
    expect(planOf(nodes)).toEqual(
      seriesPlan([parallelPlan([nodePlan(0), nodePlan(1), nodePlan(2)]), nodePlan(3), nodePlan(4)]),
    );
  });
});

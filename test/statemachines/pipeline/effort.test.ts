/** The budget of planning: the largest definitions compile quickly whatever their shape and limit. */
import { describe, expect, it } from "vitest";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { Effort } from "../../../statemachines/pipeline/plan/effort.ts";
import { widthOf } from "../../../statemachines/pipeline/plan/measures.ts";
import { nodePlan, type Plan } from "../../../statemachines/pipeline/plan/plan.ts";
import { leastCpu } from "../../support/cpu.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { LARGE_SHAPES, largeGraph, waitsOf } from "../../support/plans.ts";

describe("Effort", () => {
  it("is spent at its limit, and inside a share at the limit of the share", () => {
    const effort = new Effort(100);
    effort.withShare(1 / 2, () => {
      effort.spend(49);
      expect(effort.isSpent).toBe(false);
      effort.spend(1);
      expect(effort.isSpent).toBe(true);
    });
    expect(effort.isSpent).toBe(false);
    effort.spend(50);
    expect(effort.isSpent).toBe(true);
    expect(effort.spent).toBe(100);
  });

  it("divides by weight, and passes unspent operations on to the next parts", () => {
    const shareOf = (costs: readonly number[]): number[] => {
      const effort = new Effort(90);
      return effort.divideAmong(
        costs,
        () => 1,
        (cost) => {
          const before = effort.spent;
          while (!effort.isSpent && effort.spent < before + cost) effort.spend(1);
          return effort.spent - before;
        },
      );
    };
    expect(shareOf([90, 90, 90])).toEqual([30, 30, 30]);
    expect(shareOf([10, 90, 90])).toEqual([10, 40, 40]);
  });

  it("with a budget of 0 is spent at once, also for parts without weight", () => {
    const effort = new Effort(0);
    expect(
      effort.divideAmong(
        [1, 2],
        () => 0,
        () => effort.isSpent,
      ),
    ).toEqual([true, true]);
  });
});

describe("compilePipeline with 100 nodes", () => {
  const SEEDS = 27;
  const TIERS = ["nano", "mini", "default", "high"];

  it.each(LARGE_SHAPES)("takes less than 50 ms at every limit: %s", (shape) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const after = largeGraph(shape, 99, seed);
      const nodes = after.map((firsts, at) => ({
        id: `e${at}`,
        type: "extract",
        dependsOn: firsts.map((first) => `e${first}`),
        llm: { tier: TIERS[(at * 7 + seed) % TIERS.length] ?? "mini" },
      }));
      // All limits from 1 to 50 occur over the shapes.
      const maxNodes = 1 + ((seed * 11 + shape.length * 3) % 50);
      const definition = { maxNodes, nodes: [...nodes, { id: "f", type: "final", output: 1 }] };
      const plans: Plan[] = [];
      const milliseconds = leastCpu(20, 50, () => {
        const compilation = compilePipeline(definition, CHECKS);
        if (compilation.ok) plans.push(compilation.pipeline.plan);
      });
      expect(milliseconds, `seed ${seed}, at most ${maxNodes} at once`).toBeLessThan(50);
      const plan = plans[0] ?? nodePlan(0);
      expect(widthOf(plan, (node) => (node === 99 ? 0 : 1))).toBeLessThanOrEqual(maxNodes);
      const waits = waitsOf(plan);
      expect(after.every((firsts, node) => firsts.every((first) => waits.get(node)?.includes(first)))).toBe(true);
    }
  });
});

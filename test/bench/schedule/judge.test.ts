/** The bench of plans recognises faulty plans. */
import { expect, it } from "vitest";
import { lowerBound } from "../../../bench/schedule/dispatch.ts";
import { brokenRequirements, type Requirement } from "../../../bench/schedule/judge.ts";
import { orderOf } from "../../../statemachines/pipeline/plan/order.ts";
import { nodePlan, type Plan, parallelPlan, seriesPlan } from "../../../statemachines/pipeline/plan/plan.ts";

it("brokenRequirements names the requirements that a plan breaks", () => {
  // Two parallel chains: 0 before 1, 2 before 3.
  const dependencies = [[], [0], [], [2]];
  const graph = { shape: "layered" as const, dependencies, expected: [1, 9, 9, 1], actual: [1, 9, 9, 1] };
  const order = orderOf(dependencies);
  const broken = (plan: Plan, limit = 4): Requirement[] => {
    const bound = lowerBound(order, graph, limit);
    return brokenRequirements({ plan, order, graph, limit, bound, exact: limit === 4 });
  };
  const chains = parallelPlan([seriesPlan([nodePlan(0), nodePlan(1)]), seriesPlan([nodePlan(2), nodePlan(3)])]);
  expect(broken(chains)).toEqual([]);
  expect(broken(chains, 1)).toEqual(["width", "short"]);
  expect(broken(seriesPlan([nodePlan(0), nodePlan(1), nodePlan(2), nodePlan(3)]), 1)).toEqual([]);
  expect(
    broken(seriesPlan([parallelPlan([nodePlan(0), nodePlan(2)]), parallelPlan([nodePlan(1), nodePlan(3)])])),
  ).toEqual(["exact"]);
  expect(broken(seriesPlan([nodePlan(0), nodePlan(1)]))).toEqual(["nodes"]);
  expect(broken(parallelPlan([chains, nodePlan(1)]))).toEqual(["nodes"]);
});

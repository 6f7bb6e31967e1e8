/** The bench of plans can tell a wrong plan from a right one. */
import { expect, it } from "vitest";
import { lowerBound } from "../../../bench/schedule/dispatch.ts";
import { brokenBy, type Rule } from "../../../bench/schedule/judge.ts";
import { orderOf } from "../../../statemachines/pipeline/plan/order.ts";
import { beside, one, type Plan, series } from "../../../statemachines/pipeline/plan/plan.ts";

it("names what a plan breaks", () => {
  // Two chains beside each other: 0 before 1, 2 before 3.
  const after = [[], [0], [], [2]];
  const graph = { shape: "layered" as const, after, expected: [1, 9, 9, 1], actual: [1, 9, 9, 1] };
  const order = orderOf(after);
  const broken = (plan: Plan, limit = 4): Rule[] => {
    const bound = lowerBound(order, graph, limit);
    return brokenBy({ plan, order, graph, limit, bound, exact: limit === 4 });
  };
  const chains = beside([series([one(0), one(1)]), series([one(2), one(3)])]);
  expect(broken(chains)).toEqual([]);
  expect(broken(chains, 1)).toEqual(["width", "short"]);
  expect(broken(series([one(0), one(1), one(2), one(3)]), 1)).toEqual([]);
  expect(broken(series([beside([one(0), one(2)]), beside([one(1), one(3)])]))).toEqual(["exact"]);
  expect(broken(series([one(0), one(1)]))).toEqual(["nodes"]);
  expect(broken(beside([chains, one(1)]))).toEqual(["nodes"]);
});

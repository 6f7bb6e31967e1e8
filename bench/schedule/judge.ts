/** The requirements of every plan. */

import { makespanOf, nodesOf, widthOf } from "../../statemachines/pipeline/plan/measures.ts";
import type { Order } from "../../statemachines/pipeline/plan/order.ts";
import type { Plan } from "../../statemachines/pipeline/plan/plan.ts";
import type { Graph } from "./graphs.ts";

export const REQUIREMENTS = {
  nodes: "plans that lack a node, or have one twice",
  width: "plans that run more at once than they may",
  short: "plans that are over before they can be",
  exact: "series-parallel graphs without a cap that take longer than their bound",
} as const;
export type Requirement = keyof typeof REQUIREMENTS;

/** Rounding error of sums of some dozen seconds. */
const ROUNDING_ERROR = 1e-9;

export interface PlannedGraph {
  plan: Plan;
  order: Order;
  graph: Graph;
  limit: number;
  /** A lower bound of all schedules, in seconds. */
  bound: number;
  /** True when nesting can express the graph and there is no limit: then the plan reaches the bound. */
  exact: boolean;
}

/** The requirements that a plan breaks. */
export function brokenRequirements({ plan, order, graph, limit, bound, exact }: PlannedGraph): Requirement[] {
  const nodes = nodesOf(plan);
  const span = makespanOf(plan, (node) => graph.actual[node] ?? 0) / bound;
  const broken: Record<Requirement, boolean> = {
    nodes: nodes.length !== order.size || new Set(nodes).size !== order.size,
    width: widthOf(plan, () => 1) > limit,
    short: span < 1 - ROUNDING_ERROR,
    exact: exact && span > 1 + ROUNDING_ERROR,
  };
  return (Object.keys(REQUIREMENTS) as Requirement[]).filter((rule) => broken[rule]);
}

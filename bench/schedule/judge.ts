/** What every plan must hold, whatever it is compared with. */

import { makespanOf, nodesOf, widthOf } from "../../statemachines/pipeline/plan/measures.ts";
import type { Order } from "../../statemachines/pipeline/plan/order.ts";
import type { Plan } from "../../statemachines/pipeline/plan/plan.ts";
import type { Graph } from "./graphs.ts";

export const RULES = {
  nodes: "plans that lack a node, or have one twice",
  width: "plans that run more at once than they may",
  short: "plans that are over before they can be",
  exact: "series-parallel graphs without a cap that take longer than their bound",
} as const;
export type Rule = keyof typeof RULES;

/** Of sums of some dozens of seconds. */
const ROUNDING = 1e-9;

export interface Planned {
  plan: Plan;
  order: Order;
  graph: Graph;
  limit: number;
  /** Seconds that no schedule is below. */
  bound: number;
  /** The graph is one that nesting can say, and nothing caps it: then the bound is reached. */
  exact: boolean;
}

/** What a plan breaks. */
export function brokenBy({ plan, order, graph, limit, bound, exact }: Planned): Rule[] {
  const nodes = nodesOf(plan);
  const span = makespanOf(plan, (node) => graph.actual[node] ?? 0) / bound;
  const broken: Record<Rule, boolean> = {
    nodes: nodes.length !== order.size || new Set(nodes).size !== order.size,
    width: widthOf(plan, () => 1) > limit,
    short: span < 1 - ROUNDING,
    exact: exact && span > 1 + ROUNDING,
  };
  return (Object.keys(RULES) as Rule[]).filter((rule) => broken[rule]);
}

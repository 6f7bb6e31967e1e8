/** The visitor of plans: every pass over a plan goes through it. */
import type { NodePlan, ParallelPlan, Plan, SeriesPlan } from "./plan.ts";

/** One method for each kind of plan; the visitor itself decides when to go into the parts. */
export interface PlanVisitor<Made> {
  node(plan: NodePlan): Made;
  series(plan: SeriesPlan): Made;
  parallel(plan: ParallelPlan): Made;
}

/** Calls the method for the plan's kind. For passes that carry something downwards or choose the order of the parts. */
export function visitPlan<Made>(plan: Plan, visitor: PlanVisitor<Made>): Made {
  switch (plan.kind) {
    case "node":
      return visitor.node(plan);
    case "series":
      return visitor.series(plan);
    case "parallel":
      return visitor.parallel(plan);
  }
}

/** Each method gets the results of the parts, in their order. */
export interface PlanFold<Made> {
  node(plan: NodePlan): Made;
  series(parts: readonly Made[], plan: SeriesPlan): Made;
  parallel(branches: readonly Made[], plan: ParallelPlan): Made;
}

/** Computes a value from the leaves of a plan upwards. */
export const foldPlan = <Made>(plan: Plan, fold: PlanFold<Made>): Made =>
  visitPlan<Made>(plan, {
    node: (node) => fold.node(node),
    series: (series) =>
      fold.series(
        series.parts.map((part) => foldPlan(part, fold)),
        series,
      ),
    parallel: (parallel) =>
      fold.parallel(
        parallel.branches.map((branch) => foldPlan(branch, fold)),
        parallel,
      ),
  });

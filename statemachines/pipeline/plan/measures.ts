/** Measures of a plan: its nodes, its width, its duration. */
import type { Plan } from "./plan.ts";
import { foldPlan } from "./visit.ts";

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The numbers of all nodes in a plan. */
export const nodesOf = (plan: Plan): number[] =>
  foldPlan<number[]>(plan, {
    node: ({ node }) => [node],
    series: (parts) => parts.flat(),
    parallel: (branches) => branches.flat(),
  });

/** The most nodes that can run at once. @param weight 1, or 0 for a node that does not count */
export const widthOf = (plan: Plan, weight: (node: number) => number): number =>
  foldPlan<number>(plan, {
    node: ({ node }) => weight(node),
    series: (parts) => Math.max(0, ...parts),
    parallel: (branches, { limit }) => sum(branches.toSorted((a, b) => b - a).slice(0, limit ?? branches.length)),
  });

/** The seconds that a plan takes for given durations of its nodes. A branch begins when the one before it has ended. */
export const makespanOf = (plan: Plan, duration: (node: number) => number): number =>
  foldPlan<number>(plan, {
    node: ({ node }) => duration(node),
    series: sum,
    parallel: (branches, { limit }) => parallelSpan(branches, limit),
  });

/** The time that branches of these spans take, begun in this order, at most `limit` at a time. */
export function parallelSpan(spans: readonly number[], limit: number | null): number {
  if (limit === null || limit >= spans.length) return Math.max(0, ...spans);
  // Planning spends most of its time here, so the first place that is free earliest is found by a plain loop.
  const places = new Float64Array(limit);
  let longest = 0;
  for (const span of spans) {
    let free = 0;
    for (let place = 1; place < limit; place += 1) if ((places[place] ?? 0) < (places[free] ?? 0)) free = place;
    const end = (places[free] ?? 0) + span;
    places[free] = end;
    if (end > longest) longest = end;
  }
  return longest;
}

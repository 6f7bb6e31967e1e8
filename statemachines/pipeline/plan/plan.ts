/**
 * A plan: what runs after what and beside what, in the shapes that Amazon States Language has. It has nesting, not
 * edges: a state that waits waits for all of a Parallel or a Map.
 */

/** One node, by its number. */
export interface OnePlan {
  readonly kind: "one";
  readonly node: number;
}

/** One after the other. */
export interface SeriesPlan {
  readonly kind: "series";
  readonly parts: readonly Plan[];
}

/** Beside each other: all at once, or at most so many at a time, begun in this order. */
export interface BesidePlan {
  readonly kind: "beside";
  readonly branches: readonly Plan[];
  readonly limit: number | null;
}

export type Plan = OnePlan | SeriesPlan | BesidePlan;

export const one = (node: number): OnePlan => Object.freeze({ kind: "one", node });

/** Series within it are joined to it; of one part, that part. */
export function series(parts: readonly Plan[]): Plan {
  const flat = parts.flatMap((part) => (part.kind === "series" ? part.parts : [part]));
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : Object.freeze({ kind: "series", parts: Object.freeze(flat) });
}

/** Of one branch, that branch. */
export function beside(branches: readonly Plan[], limit: number | null = null): Plan {
  const bound = limit !== null && limit < branches.length ? limit : null;
  const flat =
    bound === null
      ? branches.flatMap((branch) => (branch.kind === "beside" && branch.limit === null ? branch.branches : [branch]))
      : branches;
  const [only] = flat;
  if (flat.length === 1 && only !== undefined) return only;
  return Object.freeze({ kind: "beside", branches: Object.freeze(flat), limit: bound });
}

/** The numbers of all nodes in a plan. */
export function nodesOf(plan: Plan): number[] {
  if (plan.kind === "one") return [plan.node];
  return (plan.kind === "series" ? plan.parts : plan.branches).flatMap(nodesOf);
}

/** The most nodes that can run at once. @param weight 1, or 0 for what does not count */
export function widthOf(plan: Plan, weight: (node: number) => number): number {
  if (plan.kind === "one") return weight(plan.node);
  if (plan.kind === "series") return Math.max(0, ...plan.parts.map((part) => widthOf(part, weight)));
  const widths = plan.branches.map((branch) => widthOf(branch, weight)).sort((a, b) => b - a);
  return widths.slice(0, plan.limit ?? widths.length).reduce((sum, width) => sum + width, 0);
}

/** How long a plan takes when each node takes so long: a branch begins when the one before it in its place has ended. */
export function makespanOf(plan: Plan, duration: (node: number) => number): number {
  if (plan.kind === "one") return duration(plan.node);
  if (plan.kind === "series") return plan.parts.reduce((sum, part) => sum + makespanOf(part, duration), 0);
  return spanBeside(
    plan.branches.map((branch) => makespanOf(branch, duration)),
    plan.limit,
  );
}

/** Of branches that take so long, begun in this order, at most `limit` at a time. */
export function spanBeside(spans: readonly number[], limit: number | null): number {
  if (limit === null || limit >= spans.length) return Math.max(0, ...spans);
  const places = new Array<number>(limit).fill(0);
  for (const span of spans) {
    const free = places.indexOf(Math.min(...places));
    places[free] = (places[free] ?? 0) + span;
  }
  return Math.max(0, ...places);
}

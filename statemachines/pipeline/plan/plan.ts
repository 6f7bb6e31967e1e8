/**
 * A plan: the order of a pipeline's nodes in the shapes of Amazon States Language. Plans nest and have no edges: a state
 * after a Parallel or a Map waits for all of it. All plans are frozen; `visit.ts` walks them.
 */

/** One node, by its number. */
export interface NodePlan {
  readonly kind: "node";
  readonly node: number;
}

/** One part after the other. */
export interface SeriesPlan {
  readonly kind: "series";
  readonly parts: readonly Plan[];
}

/** Branches that run at once, or at most `limit` of them at a time, begun in this order. */
export interface ParallelPlan {
  readonly kind: "parallel";
  readonly branches: readonly Plan[];
  readonly limit: number | null;
}

export type Plan = NodePlan | SeriesPlan | ParallelPlan;

export const nodePlan = (node: number): NodePlan => Object.freeze({ kind: "node", node });

/** Nested series are flattened; a series of one part is that part. */
export function seriesPlan(parts: readonly Plan[]): Plan {
  const flat = parts.flatMap((part) => (part.kind === "series" ? part.parts : [part]));
  const [only] = flat;
  return flat.length === 1 && only !== undefined ? only : Object.freeze({ kind: "series", parts: Object.freeze(flat) });
}

/** Unlimited parallel plans inside an unlimited one are flattened; a single branch is that branch. */
export function parallelPlan(branches: readonly Plan[], limit: number | null = null): Plan {
  const bound = limit !== null && limit < branches.length ? limit : null;
  const flat =
    bound === null
      ? branches.flatMap((branch) => (branch.kind === "parallel" && branch.limit === null ? branch.branches : [branch]))
      : branches;
  const [only] = flat;
  if (flat.length === 1 && only !== undefined) return only;
  return Object.freeze({ kind: "parallel", branches: Object.freeze(flat), limit: bound });
}

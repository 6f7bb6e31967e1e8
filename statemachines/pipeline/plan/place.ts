/**
 * Puts nodes that only compute into a plan of the others. They take no time and no room, so they never shape a plan: each
 * goes to the earliest place behind all that it depends on, which always stands before all that depends on it.
 */
import { beside, nodesOf, one, type Plan, series } from "./plan.ts";

/** A plan while nodes are put into it: lists that grow. */
type Draft =
  | { kind: "one"; node: number; nodes: Set<number> }
  | { kind: "beside"; branches: Draft[][]; limit: number | null; nodes: Set<number> };

function draftOf(plan: Plan): Draft[] {
  if (plan.kind === "series") return plan.parts.flatMap(draftOf);
  const nodes = new Set(nodesOf(plan));
  return plan.kind === "one"
    ? [{ kind: "one", node: plan.node, nodes }]
    : [{ kind: "beside", branches: plan.branches.map(draftOf), limit: plan.limit, nodes }];
}

const planOf = (drafts: readonly Draft[]): Plan =>
  series(
    drafts.map((draft) => (draft.kind === "one" ? one(draft.node) : beside(draft.branches.map(planOf), draft.limit))),
  );

const hasAny = (nodes: ReadonlySet<number>, wanted: readonly number[]): boolean =>
  wanted.some((node) => nodes.has(node));

function put(list: Draft[], node: number, firsts: readonly number[]): void {
  const at = list.findLastIndex(({ nodes }) => hasAny(nodes, firsts));
  const last = list[at];
  const own: Draft = { kind: "one", node, nodes: new Set([node]) };
  if (last?.kind !== "beside") {
    list.splice(at + 1, 0, own);
    return;
  }
  const inside = firsts.filter((first) => last.nodes.has(first));
  const holding = last.branches.filter((branch) => branch.some(({ nodes }) => hasAny(nodes, inside)));
  const [branch] = holding;
  if (holding.length > 1 || branch === undefined) {
    list.splice(at + 1, 0, own);
    return;
  }
  last.nodes.add(node);
  put(branch, node, inside);
}

/**
 * @param plan of all nodes that take time; null when there are none
 * @param computing the other nodes, each behind those of them that it depends on
 * @param firstsOf what a node depends on, directly
 */
export function placeComputing(
  plan: Plan | null,
  computing: readonly number[],
  firstsOf: (node: number) => readonly number[],
): Plan {
  const list = plan === null ? [] : draftOf(plan);
  for (const node of computing) put(list, node, firstsOf(node));
  return planOf(list);
}

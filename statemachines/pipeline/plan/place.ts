/**
 * Puts compute nodes into a plan of the others. They take no time and no room, so they never shape a plan. Each goes to
 * the earliest place behind everything it depends on, which always stands before everything that depends on it.
 */
import { nodesOf } from "./measures.ts";
import { nodePlan, type Plan, parallelPlan, seriesPlan } from "./plan.ts";
import { visitPlan } from "./visit.ts";

/** A plan while nodes are put into it: lists that grow. */
type Draft =
  | { kind: "node"; node: number; nodes: Set<number> }
  | { kind: "parallel"; branches: Draft[][]; limit: number | null; nodes: Set<number> };

const draftOf = (plan: Plan): Draft[] =>
  visitPlan<Draft[]>(plan, {
    node: ({ node }) => [{ kind: "node", node, nodes: new Set([node]) }],
    series: ({ parts }) => parts.flatMap(draftOf),
    parallel: ({ branches, limit }) => [
      { kind: "parallel", branches: branches.map(draftOf), limit, nodes: new Set(branches.flatMap(nodesOf)) },
    ],
  });

const planOf = (drafts: readonly Draft[]): Plan =>
  seriesPlan(
    drafts.map((draft) =>
      draft.kind === "node" ? nodePlan(draft.node) : parallelPlan(draft.branches.map(planOf), draft.limit),
    ),
  );

const hasAny = (nodes: ReadonlySet<number>, wanted: readonly number[]): boolean =>
  wanted.some((node) => nodes.has(node));

function placeNode(list: Draft[], node: number, dependencies: readonly number[]): void {
  const at = list.findLastIndex(({ nodes }) => hasAny(nodes, dependencies));
  const last = list[at];
  const own: Draft = { kind: "node", node, nodes: new Set([node]) };
  if (last?.kind !== "parallel") {
    list.splice(at + 1, 0, own);
    return;
  }
  const inside = dependencies.filter((dependency) => last.nodes.has(dependency));
  const holding = last.branches.filter((branch) => branch.some(({ nodes }) => hasAny(nodes, inside)));
  const [branch] = holding;
  if (holding.length > 1 || branch === undefined) {
    list.splice(at + 1, 0, own);
    return;
  }
  last.nodes.add(node);
  placeNode(branch, node, inside);
}

/**
 * @param plan of all nodes that take time; null when there are none
 * @param computing the compute nodes, each behind those of them that it depends on
 * @param dependenciesOf the direct dependencies of a node
 */
export function placeComputing(
  plan: Plan | null,
  computing: readonly number[],
  dependenciesOf: (node: number) => readonly number[],
): Plan {
  const list = plan === null ? [] : draftOf(plan);
  for (const node of computing) placeNode(list, node, dependenciesOf(node));
  return planOf(list);
}

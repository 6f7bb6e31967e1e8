/**
 * Fifth pass: plan → flow. Guards are worked out, and what must be carried out of branches: only what something behind
 * them reads, so that a machine's state stays small.
 */
import { constantOf, pathsOf } from "./conditions.ts";
import type { PipelineNode } from "./definition.ts";
import type { Facts, Producer } from "./facts.ts";
import type { Flow, FlowStep, Guard, NodeStep } from "./flow.ts";
import type { PipelineGraph } from "./graph.ts";
import { nodesOf, type Plan } from "./plan/plan.ts";

interface Lowered {
  flow: Flow;
  /** What must be known before it begins. */
  needs: ReadonlySet<Producer>;
}

export interface Lowering {
  graph: PipelineGraph;
  facts: Facts;
}

/** Numbers of the nodes that may end up skipped. */
function skippableOf({ definition, after, rivals, order }: PipelineGraph): Set<number> {
  const skippable = new Set<number>();
  for (const node of order.sorted) {
    const when = definition.nodes[node]?.when ?? null;
    const firsts = after[node] ?? [];
    const asked = when !== null && constantOf(when) !== true;
    const behind = (rivals[node] ?? []).length > 0;
    if (asked || behind || (firsts.length > 0 && firsts.every((first) => skippable.has(first)))) skippable.add(node);
  }
  return skippable;
}

export function lowerPlan(plan: Plan, { graph, facts }: Lowering): Flow {
  const skippable = skippableOf(graph);
  const guards = graph.definition.nodes.map((node) => guardOf(node));
  return lower(plan, new Set()).flow;

  function guardOf({ when, index }: PipelineNode): NodeStep["guard"] {
    const constant = when === null ? true : constantOf(when);
    if (constant === false) return "never";
    const firsts = graph.after[index] ?? [];
    const skippedWith = firsts.length > 0 && firsts.every((first) => skippable.has(first)) ? firsts : [];
    const rivals = graph.rivals[index] ?? [];
    if (constant === true && skippedWith.length === 0 && rivals.length === 0) return null;
    const condition = constant === true ? null : when;
    return Object.freeze({ skippedWith: Object.freeze([...skippedWith]), rivals, condition });
  }

  function readBy(guard: Guard): Producer[] {
    const asked = guard.condition === null ? [] : [...pathsOf(guard.condition)];
    return [...guard.skippedWith, ...guard.rivals, ...asked.map((path) => facts.find(path).producer)];
  }

  /** @param wanted what must be known behind it */
  function lower(part: Plan, wanted: ReadonlySet<Producer>): Lowered {
    if (part.kind === "one") return lowerNode(part.node, wanted);
    if (part.kind === "beside") return lowerBranches(part.branches, part.limit, wanted);
    let needs = wanted;
    const steps: FlowStep[][] = [];
    for (const one of [...part.parts].reverse()) {
      const lowered = lower(one, needs);
      steps.unshift([...lowered.flow]);
      needs = lowered.needs;
    }
    return { flow: Object.freeze(steps.flat()), needs };
  }

  function lowerNode(index: number, wanted: ReadonlySet<Producer>): Lowered {
    const node = graph.definition.nodes[index];
    if (node === undefined) throw new RangeError(`Nothing has the number ${index}`);
    const guard = guards[index] ?? null;
    const needs = new Set(wanted);
    needs.delete(index);
    if (guard !== null && guard !== "never") for (const producer of readBy(guard)) needs.add(producer);
    const step: NodeStep = Object.freeze({ kind: "node", node, guard, kept: wanted.has(index) });
    return { flow: Object.freeze([step]), needs };
  }

  function lowerBranches(branches: readonly Plan[], limit: number | null, wanted: ReadonlySet<Producer>): Lowered {
    const inside = branches.map((branch) => new Set<Producer>(nodesOf(branch)));
    const branchOf = (producer: Producer): number => inside.findIndex((nodes) => nodes.has(producer));
    const isWantedFromInside = [...wanted].some((producer) => branchOf(producer) >= 0);
    // What was known before comes out of the first branch; where nothing comes out, it stays where it was.
    const carried = isWantedFromInside
      ? [...wanted].map((producer) => Object.freeze({ producer, branch: Math.max(0, branchOf(producer)) }))
      : [];
    const lowered = branches.map((branch, at) =>
      lower(branch, new Set(carried.flatMap((one) => (one.branch === at ? [one.producer] : [])))),
    );
    const needs = new Set([...wanted].filter((producer) => branchOf(producer) < 0));
    for (const one of lowered) for (const producer of one.needs) needs.add(producer);
    const flows = Object.freeze(lowered.map(({ flow }) => flow));
    const step: FlowStep = Object.freeze({ kind: "beside", branches: flows, limit, carried: Object.freeze(carried) });
    return { flow: Object.freeze([step]), needs };
  }
}

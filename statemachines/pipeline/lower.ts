/**
 * Fifth pass: plan → flow. Computes the guards, and the outputs of branches: only values that later steps read, so that
 * a machine's state stays small.
 */
import { constantOf, pathsOf } from "./conditions.ts";
import type { Facts, Producer } from "./facts.ts";
import type { Flow, FlowStep, Guard, NodeStep } from "./flow.ts";
import type { PipelineGraph } from "./graph.ts";
import { nodesOf } from "./plan/measures.ts";
import type { Plan } from "./plan/plan.ts";
import { visitPlan } from "./plan/visit.ts";

interface Lowered {
  flow: Flow;
  /** The producers that must be known before the flow begins. */
  needs: ReadonlySet<Producer>;
}

export interface Lowering {
  graph: PipelineGraph;
  facts: Facts;
}

/** Numbers of the nodes that may be skipped. */
function skippableOf({ definition, dependencies, earlierCandidates, order }: PipelineGraph): Set<number> {
  const skippable = new Set<number>();
  for (const node of order.sorted) {
    const when = definition.nodes[node]?.when ?? null;
    const own = dependencies[node] ?? [];
    const asked = when !== null && constantOf(when) !== true;
    const behind = (earlierCandidates[node] ?? []).length > 0;
    if (asked || behind || (own.length > 0 && own.every((first) => skippable.has(first)))) skippable.add(node);
  }
  return skippable;
}

/** The guard of each node, by number. */
function guardsOf(graph: PipelineGraph): NodeStep["guard"][] {
  const skippable = skippableOf(graph);
  return graph.definition.nodes.map(({ when, index }) => {
    const constant = when === null ? true : constantOf(when);
    if (constant === false) return "never";
    const dependencies = graph.dependencies[index] ?? [];
    const skippedWith =
      dependencies.length > 0 && dependencies.every((first) => skippable.has(first)) ? dependencies : [];
    const earlierCandidates = graph.earlierCandidates[index] ?? [];
    if (constant === true && skippedWith.length === 0 && earlierCandidates.length === 0) return null;
    const condition = constant === true ? null : when;
    return Object.freeze({ skippedWith: Object.freeze([...skippedWith]), earlierCandidates, condition });
  });
}

/** The producers that a guard reads. */
function readBy(guard: Guard, facts: Facts): Producer[] {
  const asked = guard.condition === null ? [] : [...pathsOf(guard.condition)];
  return [...guard.skippedWith, ...guard.earlierCandidates, ...asked.map((path) => facts.find(path).producer)];
}

export function lowerPlan(plan: Plan, { graph, facts }: Lowering): Flow {
  const guards = guardsOf(graph);
  return lower(plan, new Set()).flow;

  /** @param wanted the producers that later steps read */
  function lower(part: Plan, wanted: ReadonlySet<Producer>): Lowered {
    return visitPlan(part, {
      node: ({ node }) => lowerNode(node, wanted),
      series: ({ parts }) => lowerSeries(parts, wanted),
      parallel: ({ branches, limit }) => lowerBranches(branches, limit, wanted),
    });
  }

  function lowerSeries(parts: readonly Plan[], wanted: ReadonlySet<Producer>): Lowered {
    let needs = wanted;
    const steps: FlowStep[][] = [];
    for (const part of parts.toReversed()) {
      const lowered = lower(part, needs);
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
    if (guard !== null && guard !== "never") for (const producer of readBy(guard, facts)) needs.add(producer);
    const step: NodeStep = Object.freeze({ kind: "node", node, guard, storesFacts: wanted.has(index) });
    return { flow: Object.freeze([step]), needs };
  }

  function lowerBranches(branches: readonly Plan[], limit: number | null, wanted: ReadonlySet<Producer>): Lowered {
    const inside = branches.map((branch) => new Set<Producer>(nodesOf(branch)));
    const branchOf = (producer: Producer): number => inside.findIndex((nodes) => nodes.has(producer));
    const isWantedFromInside = [...wanted].some((producer) => branchOf(producer) >= 0);
    // Values known before the branches come out of the first one; without outputs they stay in place.
    const carried = isWantedFromInside
      ? [...wanted].map((producer) => Object.freeze({ producer, branch: Math.max(0, branchOf(producer)) }))
      : [];
    const lowered = branches.map((branch, at) =>
      lower(branch, new Set(carried.flatMap((one) => (one.branch === at ? [one.producer] : [])))),
    );
    const needs = new Set([...wanted].filter((producer) => branchOf(producer) < 0));
    for (const one of lowered) for (const producer of one.needs) needs.add(producer);
    const flows = Object.freeze(lowered.map(({ flow }) => flow));
    const step: FlowStep = Object.freeze({ kind: "parallel", branches: flows, limit, carried: Object.freeze(carried) });
    return { flow: Object.freeze([step]), needs };
  }
}

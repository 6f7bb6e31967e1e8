/**
 * A pipeline's definition → one state machine, in passes: parse → graph → check → plan → lower → emit. Pure: compiling
 * executes nothing, and the same definition gives the same bytes.
 */
import type { StateMachine } from "../asl.ts";
import { MACHINE_TIMEOUT_SECONDS } from "../document.ts";
import { checkGraph } from "./check.ts";
import type { PipelineDefinition } from "./definition.ts";
import { type Diagnostic, Findings } from "./diagnostics.ts";
import { emitMachine } from "./emit.ts";
import { type Facts, factsOf } from "./facts.ts";
import type { Flow } from "./flow.ts";
import { buildGraph, linkNodes, type PipelineGraph } from "./graph.ts";
import { checkLimits } from "./limits.ts";
import { lowerPlan } from "./lower.ts";
import { computes, expectedSecondsOf } from "./nodes/kinds.ts";
import type { DefinitionChecks } from "./nodes/node.ts";
import { parseDefinition } from "./parse.ts";
import { orderOf } from "./plan/order.ts";
import { placeComputing } from "./plan/place.ts";
import { nodePlan, type Plan, parallelPlan, seriesPlan } from "./plan/plan.ts";
import { schedule } from "./plan/schedule.ts";
import { foldPlan } from "./plan/visit.ts";

export interface CheckedPipeline {
  readonly definition: PipelineDefinition;
  readonly graph: PipelineGraph;
  readonly facts: Facts;
  /** Sentences about oddities that stop nothing. */
  readonly warnings: readonly string[];
}

export interface CompiledPipeline extends CheckedPipeline {
  readonly plan: Plan;
  readonly flow: Flow;
  readonly machine: StateMachine;
}

export type Compilation<Compiled> =
  | { readonly ok: true; readonly pipeline: Compiled }
  | { readonly ok: false; readonly faults: readonly Diagnostic[] };

/** The passes up to check; steps need no more of a definition. */
export function checkPipeline(given: unknown, checks: DefinitionChecks): Compilation<CheckedPipeline> {
  const findings = new Findings();
  const definition = parseDefinition(given, findings, checks);
  const linked = definition && linkNodes(definition, findings);
  if (linked !== undefined) checkGraph(linked, findings);
  if (linked === undefined || findings.faults.length > 0) return { ok: false, faults: findings.faults };
  const graph = buildGraph(linked);
  return {
    ok: true,
    pipeline: { definition: graph.definition, graph, facts: factsOf(graph.definition), warnings: findings.warnings },
  };
}

/** All passes. */
export function compilePipeline(given: unknown, checks: DefinitionChecks): Compilation<CompiledPipeline> {
  const checked = checkPipeline(given, checks);
  return checked.ok ? compileChecked(checked.pipeline) : checked;
}

/** The passes after check. */
export function compileChecked(checked: CheckedPipeline): Compilation<CompiledPipeline> {
  const { definition, graph, facts } = checked;
  const plan = planGraph(graph);
  const flow = lowerPlan(plan, { graph, facts });
  const machine = emitMachine({ definition, flow, facts, timeoutSeconds: MACHINE_TIMEOUT_SECONDS });
  const findings = new Findings();
  checkLimits({ machine, definition, facts, flow }, findings);
  if (findings.faults.length > 0) return { ok: false, faults: findings.faults };
  return { ok: true, pipeline: { ...checked, plan, flow, machine } };
}

/** Fourth pass: graph → plan. Compute nodes are placed last: they take no time and no room. */
export function planGraph({ definition, order, dependencies, earlierCandidates }: PipelineGraph): Plan {
  const { nodes, maxNodes } = definition;
  const working = nodes.filter((node) => !computes(node));
  const computing = order.sorted.filter((index) => working.every((node) => node.index !== index));
  const dependenciesOf = (index: number): number[] => [
    ...(dependencies[index] ?? []),
    ...(earlierCandidates[index] ?? []),
  ];
  return placeComputing(working.length === 0 ? null : planWorking(), computing, dependenciesOf);

  function planWorking(): Plan {
    const own = working.map(({ index }) =>
      working.flatMap((other, at) => (order.precedes(other.index, index) ? [at] : [])),
    );
    const expected = working.map(expectedSecondsOf);
    const plan = schedule({ order: orderOf(own), duration: (at) => expected[at] ?? 0, limit: maxNodes });
    return renumber(plan, (at) => working[at]?.index ?? at);
  }
}

const renumber = (plan: Plan, to: (node: number) => number): Plan =>
  foldPlan<Plan>(plan, {
    node: ({ node }) => nodePlan(to(node)),
    series: seriesPlan,
    parallel: (branches, { limit }) => parallelPlan(branches, limit),
  });

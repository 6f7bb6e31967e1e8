/** Second pass: definition → graph. Resolves references and adds the dependencies that they imply. */
import { referencesOf } from "./conditions.ts";
import { cyclesOf } from "./cycles.ts";
import type { PipelineDefinition, PipelineNode } from "./definition.ts";
import { type Findings, pointTo, quote } from "./diagnostics.ts";
import { templatesOf } from "./nodes/kinds.ts";
import type { Path } from "./paths.ts";
import { type Order, orderOf } from "./plan/order.ts";
import { referencesIn } from "./templates.ts";

/** A definition with resolved references; it may have cycles. */
export interface LinkedNodes {
  readonly definition: PipelineDefinition;
  /** For each node, the numbers of its dependencies, named and implied. */
  readonly dependencies: readonly (readonly number[])[];
  /** Numbers of the candidates for the public result, in order. */
  readonly finals: readonly number[];
}

export interface PipelineGraph extends LinkedNodes {
  /** For each final node, the earlier candidates: once one of them completes, the node is skipped. */
  readonly earlierCandidates: readonly (readonly number[])[];
  /** The order of dependencies and earlier candidates together. */
  readonly order: Order;
}

interface Reference {
  path: Path;
  place: string;
}

const pointerTo = (node: PipelineNode, member: string): string => `/nodes/${node.index}/${member}`;

/** All paths that a node reads, with their JSON Pointers. */
function referencesFrom(node: PipelineNode): Reference[] {
  const read = templatesOf(node).flatMap(({ member, template }) => [
    ...referencesIn(template, pointerTo(node, member)),
  ]);
  return [...read, ...(node.when === null ? [] : referencesOf(node.when, pointerTo(node, "when")))];
}

/** The node that a path leads to, directly or through an input; reports an unknown input. */
function targetOf({ path, place }: Reference, { inputs }: PipelineDefinition, findings: Findings): string | undefined {
  if (path.root === "node") return path.name;
  if (path.root !== "inputs") return undefined;
  const input = Object.hasOwn(inputs, path.name) ? inputs[path.name] : undefined;
  if (input === undefined) {
    findings.fault("unknown-input", place, `${path.text} names the input ${quote(path.name)}, which is not declared`);
    return undefined;
  }
  return input.kind === "nodeArtifact" ? input.nodeId : undefined;
}

/** An edge: the number of a dependency, and the JSON Pointer where it is written. */
interface Edge {
  first: number;
  place: string;
}

/** Reports unknown references, and one cycle of each strongly connected component. */
export function linkNodes(definition: PipelineDefinition, findings: Findings): LinkedNodes {
  const { nodes } = definition;
  // The first of two nodes with the same id, which is a fault.
  const numbers = new Map(nodes.toReversed().map(({ id, index }) => [id, index]));
  const number = (id: string, place: string): number[] => {
    if (id === "") return [];
    const found = numbers.get(id);
    if (found !== undefined) return [found];
    findings.fault("unknown-node", place, `There is no node with the id ${quote(id)}`);
    return [];
  };
  for (const [name, input] of Object.entries(definition.inputs)) {
    if (input.kind === "nodeArtifact") number(input.nodeId, pointTo(pointTo("/inputs", name), "nodeId"));
  }
  const edgeTo = (id: string, place: string): Edge[] => number(id, place).map((first) => ({ first, place }));
  const edges = nodes.map((node) => {
    const named = node.dependsOn.flatMap((id, at) => edgeTo(id, pointTo(pointerTo(node, "dependsOn"), at)));
    const implied = referencesFrom(node).flatMap((reference) => {
      const target = targetOf(reference, definition, findings);
      const isInput = reference.path.root === "inputs" && target !== undefined && !numbers.has(target);
      return target === undefined || isInput ? [] : edgeTo(target, reference.place);
    });
    return [...named, ...implied];
  });
  const dependencies = edges.map((own) => [...new Set(own.map(({ first }) => first))]);
  const finals = definition.finals?.flatMap(({ id, path }) => number(id, path)) ?? finalNodes(nodes);
  for (const cycle of cyclesOf(dependencies)) reportCycle(cycle, nodes, edges, findings);
  return { definition, dependencies, finals };
}

/** @param linked without cycles */
export function buildGraph({ definition, dependencies, finals }: LinkedNodes): PipelineGraph {
  const earlierCandidates = earlierCandidatesOf(definition.nodes, finals, orderOf(dependencies));
  const order = orderOf(dependencies.map((own, at) => [...own, ...(earlierCandidates[at] ?? [])]));
  return Object.freeze({ definition, dependencies, earlierCandidates, order, finals });
}

/** Leaves out candidates that depend on the final node: it cannot wait for them. */
function earlierCandidatesOf(nodes: readonly PipelineNode[], finals: readonly number[], order: Order): number[][] {
  const earlierCandidates = nodes.map((): number[] => []);
  const stands = (first: number, second: number): boolean =>
    order.precedes(first, second) || earlierCandidates[second]?.includes(first) === true;
  finals.forEach((candidate, at) => {
    if (nodes[candidate]?.type !== "final") return;
    const behind = waitingFor(candidate);
    earlierCandidates[candidate] = finals.slice(0, at).filter((rival) => !behind.has(rival));
  });
  return earlierCandidates;

  /** The node and all that wait for it, through dependencies or earlier candidates. */
  function waitingFor(first: number): ReadonlySet<number> {
    const seen = new Set([first]);
    for (const node of seen) for (const { index } of nodes) if (stands(node, index)) seen.add(index);
    return seen;
  }
}

const finalNodes = (nodes: readonly PipelineNode[]): number[] =>
  nodes.filter(({ type }) => type === "final").map(({ index }) => index);

/** Reports the cycle where its first node names its second as a dependency. */
function reportCycle(
  cycle: readonly number[],
  nodes: readonly PipelineNode[],
  edges: readonly (readonly Edge[])[],
  findings: Findings,
): void {
  const ids = cycle.map((at) => nodes[at]?.id ?? "");
  const [first = 0, second = first] = cycle;
  const ring = [...ids, ids[0]].join(" → ");
  const place = edges[first]?.find((edge) => edge.first === second)?.place ?? "/nodes";
  findings.fault("cycle", place, `These nodes wait for each other: ${ring}`);
}

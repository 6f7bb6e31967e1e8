/** Third pass: checks of a linked graph besides its references; it may have cycles. */
import { constantOf } from "./conditions.ts";
import { transitiveDependencies } from "./cycles.ts";
import type { PipelineDefinition, PipelineNode } from "./definition.ts";
import { type Findings, quote } from "./diagnostics.ts";
import type { LinkedNodes } from "./graph.ts";
import type { Path } from "./paths.ts";
import { slotsOf } from "./reads.ts";

/** Reports all faults and warnings. */
export function checkGraph(graph: LinkedNodes, findings: Findings): void {
  checkFinals(graph, findings);
  const reach = transitiveDependencies(graph.dependencies);
  for (const node of graph.definition.nodes) {
    checkConfiguration(node, graph.definition, reach[node.index] ?? new Set(), findings);
    if (node.when !== null && constantOf(node.when) === false) {
      findings.warn(`The node ${quote(node.id)} never runs: its condition compares values that differ`);
    }
  }
}

function checkFinals({ definition, finals }: LinkedNodes, findings: Findings): void {
  if (finals.length === 0 && definition.finals === null) {
    findings.fault(
      "no-final",
      "/nodes",
      'A pipeline needs a node of the type final, or "finals" that name its candidates',
    );
  }
  definition.finals?.forEach(({ id, path }, at) => {
    const first = definition.finals?.findIndex((other) => other.id === id);
    if (first !== at) findings.fault("duplicate-final", path, `${quote(id)} is a candidate already`);
  });
  const candidates = new Set(finals);
  for (const { type, id, index } of definition.nodes) {
    if (type === "final" && !candidates.has(index)) {
      findings.warn(`The final node ${quote(id)} is no candidate: "finals" does not name it`);
    }
  }
}

/** References in a configuration add no dependency, so the node must already depend on their targets. */
function checkConfiguration(
  node: PipelineNode,
  definition: PipelineDefinition,
  dependencies: ReadonlySet<number>,
  findings: Findings,
): void {
  if (node.type !== "transform" || node.transform !== "template") return;
  const known = new Map(definition.nodes.map(({ id, index }) => [id, index]));
  const { text } = node.config;
  const path = `/nodes/${node.index}/config/text`;
  for (const { path: read } of typeof text === "string" ? slotsOf(text) : []) {
    if (typeof read === "string") findings.fault("invalid-path", path, read);
    if (typeof read !== "object") continue;
    const message = objectionTo(read);
    if (message !== undefined) findings.fault(message.code, path, message.sentence);
  }

  function objectionTo(read: Path): { code: string; sentence: string } | undefined {
    const input = read.root === "inputs" ? definition.inputs[read.name] : undefined;
    if (read.root === "inputs" && !Object.hasOwn(definition.inputs, read.name)) {
      return { code: "unknown-input", sentence: `${read.text} names an input that is not declared` };
    }
    const id = read.root === "node" ? read.name : input?.kind === "nodeArtifact" ? input.nodeId : undefined;
    if (id === undefined) return undefined;
    const target = known.get(id);
    if (target === undefined) return { code: "unknown-node", sentence: `There is no node with the id ${quote(id)}` };
    if (dependencies.has(target)) return undefined;
    const sentence = `${quote(node.id)} does not wait for ${quote(id)}: name it in "dependsOn"`;
    return { code: "not-a-dependency", sentence };
  }
}

/** Drawings of a pipeline as Mermaid flowcharts. Source of the format: https://mermaid.js.org/syntax/flowchart.html */

import type { PipelineGraph } from "./graph.ts";
import { computes } from "./nodes/kinds.ts";
import { nodesOf } from "./plan/measures.ts";
import type { Plan } from "./plan/plan.ts";
import { visitPlan } from "./plan/visit.ts";

const INDENT = "  ";

function nodeBox({ definition }: PipelineGraph, index: number): string {
  const node = definition.nodes[index];
  if (node === undefined) throw new RangeError(`Nothing has the number ${index}`);
  const asked = node.when === null ? "" : " ?";
  const label = `"${node.id}${asked}<br/>${node.type}"`;
  return node.type === "final"
    ? `n${index}([${label}])`
    : computes(node)
      ? `n${index}{{${label}}}`
      : `n${index}[${label}]`;
}

/**
 * The dependencies, named and implied. A dotted line leads from a candidate for the public result to the later
 * candidates, which are skipped once it completes. A question mark stands for a condition.
 */
export function drawGraph(graph: PipelineGraph): string {
  const boxes = graph.definition.nodes.map(({ index }) => nodeBox(graph, index));
  const edges = graph.dependencies.flatMap((dependencies, index) =>
    dependencies.map((first) => `n${first} --> n${index}`),
  );
  const candidateEdges = graph.earlierCandidates.flatMap((candidates, index) =>
    candidates.map((first) => `n${first} -. or .-> n${index}`),
  );
  return ["flowchart TD", ...[...boxes, ...edges, ...candidateEdges].map((line) => `${INDENT}${line}`), ""].join("\n");
}

/** A wait without a dependency: some graphs cannot be nested without one. */
export interface NeedlessWait {
  readonly node: string;
  readonly waitsFor: string;
}

/** For each node that takes time, the last of the nodes that end before it although it does not depend on them. */
export function needlessWaits(plan: Plan, { definition, order }: PipelineGraph): NeedlessWait[] {
  const isWork = (index: number): boolean => {
    const node = definition.nodes[index];
    return node !== undefined && !computes(node);
  };
  const planned = new Map<number, readonly number[]>();
  collect(plan, []);
  return [...planned]
    .sort(([a], [b]) => a - b)
    .flatMap(([node, before]) => {
      const needless = before.filter((first) => isWork(first) && !order.precedes(first, node));
      const last = needless.filter((first) => !needless.some((other) => (planned.get(other) ?? []).includes(first)));
      return isWork(node) ? last.map((first) => ({ node: idOf(node), waitsFor: idOf(first) })) : [];
    });

  function idOf(index: number): string {
    return definition.nodes[index]?.id ?? "";
  }

  function collect(part: Plan, before: readonly number[]): void {
    visitPlan(part, {
      node: ({ node }) => {
        planned.set(node, before);
      },
      series({ parts }) {
        let ended = before;
        for (const one of parts) {
          collect(one, ended);
          ended = [...ended, ...nodesOf(one)];
        }
      },
      parallel({ branches }) {
        for (const branch of branches) collect(branch, before);
      },
    });
  }
}

/** The plan, with dotted lines for needless waits. */
export function drawPlan(plan: Plan, graph: PipelineGraph): string {
  const lines: string[] = [];
  let groups = 0;
  draw(plan, 1);
  const numbers = new Map(graph.definition.nodes.map(({ id, index }) => [id, index]));
  for (const { node, waitsFor } of needlessWaits(plan, graph)) {
    lines.push(`${INDENT}n${numbers.get(waitsFor)} -. waits .-> n${numbers.get(node)}`);
  }
  return ["flowchart TD", ...lines, ""].join("\n");

  function group(title: string, depth: number, inside: (depth: number) => void): string {
    groups += 1;
    const name = `g${groups}`;
    lines.push(`${INDENT.repeat(depth)}subgraph ${name}["${title}"]`);
    inside(depth + 1);
    lines.push(`${INDENT.repeat(depth)}end`);
    return name;
  }

  /** @returns the Mermaid name of the part, for arrows */
  function draw(plan: Plan, depth: number): string {
    return visitPlan(plan, {
      node({ node }) {
        lines.push(`${INDENT.repeat(depth)}${nodeBox(graph, node)}`);
        return `n${node}`;
      },
      series({ parts }) {
        const drawParts = (inside: number): void => {
          const names = parts.map((part) => draw(part, inside));
          for (const [at, name] of names.slice(1).entries())
            lines.push(`${INDENT.repeat(inside)}${names[at]} --> ${name}`);
        };
        if (depth > 1) return group("one after the other", depth, drawParts);
        drawParts(depth);
        return "";
      },
      parallel({ branches, limit }) {
        const title = limit === null ? "beside each other" : `beside each other, ${limit} at a time`;
        return group(title, depth, (inside) => {
          for (const branch of branches) draw(branch, inside);
        });
      },
    });
  }
}

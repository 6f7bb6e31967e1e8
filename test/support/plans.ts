/** Plans and large graphs, for tests of the planner. */
import { randomFrom, randomGraph, SHAPES } from "../../bench/schedule/graphs.ts";
import { nodesOf } from "../../statemachines/pipeline/plan/measures.ts";
import type { Plan } from "../../statemachines/pipeline/plan/plan.ts";
import { visitPlan } from "../../statemachines/pipeline/plan/visit.ts";

/** All nodes that each node of a plan waits for. */
export function waitsOf(
  plan: Plan,
  before: readonly number[] = [],
  waits = new Map<number, readonly number[]>(),
): Map<number, readonly number[]> {
  visitPlan(plan, {
    node: ({ node }) => {
      waits.set(node, before);
    },
    series({ parts }) {
      let ended = before;
      for (const part of parts) {
        waitsOf(part, ended, waits);
        ended = [...ended, ...nodesOf(part)];
      }
    },
    parallel({ branches }) {
      for (const branch of branches) waitsOf(branch, before, waits);
    },
  });
  return waits;
}

type Edges = number[][];
type Random = () => number;

const randomBelow = (random: Random, most: number): number => Math.floor(random() * most);
const edges = (size: number, of: (node: number) => number[]): Edges =>
  Array.from({ length: size }, (_, node) => [...new Set(of(node))]);
const sequence = (count: number, of: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => of(at));

/** Parallel trees, flat or deep. */
function forest(size: number, random: Random): Edges {
  const roots = 1 + randomBelow(random, 30);
  const reach = random() < 0.5 ? size : roots;
  return edges(size, (node) =>
    node < roots ? [] : [Math.max(0, node - 1 - randomBelow(random, Math.min(node, reach)))],
  );
}

/** Groups of a node and some dependents. */
function stars(size: number, random: Random): Edges {
  const group = 2 + randomBelow(random, 6);
  return edges(size, (node) => (node % group === 0 ? [] : [node - (node % group)]));
}

/** Each node depends on any earlier one, or any of the first half, with a given probability. */
function coins(size: number, random: Random): Edges {
  const share = random() * 0.3;
  const half = random() < 0.5 ? size : 10 + randomBelow(random, size - 20);
  return edges(size, (node) =>
    node >= half || half === size ? sequence(Math.min(node, half), (at) => at).filter(() => random() < share) : [],
  );
}

/** Each node depends on some of the most recent ones. */
function windows(size: number, random: Random): Edges {
  const [most, last, free] = [1 + randomBelow(random, 4), 2 + randomBelow(random, 60), random() * 0.6];
  return edges(size, (node) =>
    node === 0 || random() < free
      ? []
      : sequence(1 + randomBelow(random, most), () => Math.max(0, node - 1 - randomBelow(random, last))),
  );
}

const MAKERS = { forest, stars, coins, windows };
export const LARGE_SHAPES = [...SHAPES, "forest", "stars", "coins", "windows"] as const;

/** A reproducible random graph of a shape: the dependencies of each node. */
export function largeGraph(shape: (typeof LARGE_SHAPES)[number], size: number, seed: number): Edges {
  if (shape in MAKERS) return MAKERS[shape as keyof typeof MAKERS](size, randomFrom(seed));
  return randomGraph(shape as (typeof SHAPES)[number], seed, size).dependencies;
}

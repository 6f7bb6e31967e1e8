/** Yardsticks of a plan: a lower bound, a greedy dispatcher and plain waves. */
import type { Order } from "../../statemachines/pipeline/plan/order.ts";
import type { Graph } from "./graphs.ts";

/** The length of the longest chain from each node. */
function tailsOf(order: Order, duration: (node: number) => number): number[] {
  const tails = new Array<number>(order.size).fill(0);
  for (const node of [...order.sorted].reverse()) {
    let behind = 0;
    for (let other = 0; other < order.size; other += 1) {
      if (order.precedes(node, other)) behind = Math.max(behind, tails[other] ?? 0);
    }
    tails[node] = behind + duration(node);
  }
  return tails;
}

/** A lower bound of all schedules: the longest chain, and the work divided by the limit. */
export function lowerBound(order: Order, { actual }: Graph, limit: number): number {
  const work = actual.reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(...tailsOf(order, (node) => actual[node] ?? 0), work / limit);
}

/**
 * A dispatcher that learns of every end at once and starts free nodes, the longest expected chain first: the best of a
 * machine with edges.
 */
export function greedySpan(order: Order, { expected, actual }: Graph, limit: number): number {
  const urgency = tailsOf(order, (node) => expected[node] ?? 0);
  const waiting = new Set(order.sorted);
  const done = new Set<number>();
  let running: { node: number; end: number }[] = [];
  let now = 0;
  while (waiting.size > 0 || running.length > 0) {
    const isFree = (node: number): boolean =>
      order.sorted.every((first) => done.has(first) || !order.precedes(first, node));
    const free = [...waiting].filter(isFree).sort((a, b) => (urgency[b] ?? 0) - (urgency[a] ?? 0));
    for (const node of free.slice(0, limit - running.length)) {
      waiting.delete(node);
      running.push({ node, end: now + (actual[node] ?? 0) });
    }
    now = Math.min(...running.map(({ end }) => end));
    for (const { node, end } of running) if (end <= now) done.add(node);
    running = running.filter(({ end }) => end > now);
  }
  return now;
}

/** Waves: each node in the first wave after its dependencies; waves run one after the other. */
export function wavesSpan(order: Order, { actual }: Graph, limit: number): number {
  const waves: number[][] = [];
  const waveOf = new Map<number, number>();
  for (const node of order.sorted) {
    let wave = 0;
    for (const [first, own] of waveOf) if (order.precedes(first, node)) wave = Math.max(wave, own + 1);
    waveOf.set(node, wave);
    waves[wave] = [...(waves[wave] ?? []), node];
  }
  let span = 0;
  for (const wave of waves) {
    const places = new Array<number>(Math.min(limit, wave.length)).fill(0);
    for (const node of wave) {
      const free = places.indexOf(Math.min(...places));
      places[free] = (places[free] ?? 0) + (actual[node] ?? 0);
    }
    span += Math.max(...places);
  }
  return span;
}

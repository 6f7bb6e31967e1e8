/** Cuts of an order into two sides, where the second side waits for all of the first. */
import type { Order } from "./order.ts";

export interface Cut {
  first: readonly number[];
  second: readonly number[];
}

export interface CutSearch {
  /**
   * Sorted topologically, and convex: everything between two members is a member, so that direct predecessors tell all.
   */
  members: readonly number[];
  order: Order;
  duration: (node: number) => number;
  limit: number;
  /** Members that are tried as pivots of a cut. */
  pivots: number;
}

/** In seconds, by node; nodes that are not members have none. */
interface MemberTimes {
  /** The earliest start. */
  start: Float64Array;
  /** From the start to the end of the longest chain behind it. */
  tail: Float64Array;
  whole: number;
}

function timesOf({ members, order, duration }: CutSearch): MemberTimes {
  const start = new Float64Array(order.size).fill(-1);
  const tail = new Float64Array(order.size);
  let whole = 0;
  for (const member of members) {
    let earliest = 0;
    for (const first of order.predecessors[member] ?? []) {
      const begun = start[first] ?? -1;
      if (begun >= 0) earliest = Math.max(earliest, begun + duration(first));
    }
    start[member] = earliest;
    whole = Math.max(whole, earliest + duration(member));
  }
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const member = members[at] ?? 0;
    const own = (tail[member] ?? 0) + duration(member);
    tail[member] = own;
    for (const first of order.predecessors[member] ?? []) {
      if ((start[first] ?? -1) >= 0) tail[first] = Math.max(tail[first] ?? 0, own);
    }
  }
  return { start, tail, whole };
}

/** Estimates of both sides of a cut; reuses its arrays. */
class SideEstimates {
  readonly inside: Uint8Array;
  readonly #ends: Float64Array;
  readonly #cutting: CutSearch;

  constructor(cutting: CutSearch) {
    this.#cutting = cutting;
    this.inside = new Uint8Array(cutting.order.size);
    this.#ends = new Float64Array(cutting.order.size);
  }

  /**
   * The approximate duration of a side: the mean of a lower bound (the longest chain, or the work divided by the limit)
   * and an upper bound for plans that leave no place idle.
   * Source: R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
   */
  estimate(side: 0 | 1): number {
    const { members, order, duration, limit } = this.#cutting;
    const ends = this.#ends.fill(0);
    let longest = 0;
    let work = 0;
    for (const member of members) {
      if (this.inside[member] !== side) continue;
      let begin = 0;
      for (const first of order.predecessors[member] ?? []) begin = Math.max(begin, ends[first] ?? 0);
      const seconds = duration(member);
      ends[member] = begin + seconds;
      longest = Math.max(longest, begin + seconds);
      work += seconds;
    }
    const shared = work / limit;
    return (Math.max(longest, shared) + shared + (1 - 1 / limit) * longest) / 2;
  }
}

type CutTest = (member: number) => boolean;

/**
 * Candidate cuts by time (members that have ended by then, members that must have begun by then) and by single members
 * (all before one, all but those behind one): there are too many others.
 */
function testsOf(cutting: CutSearch, { start, tail, whole }: MemberTimes): CutTest[] {
  const { order, duration } = cutting;
  const startOf = (member: number): number => start[member] ?? 0;
  const latestOf = (member: number): number => whole - (tail[member] ?? 0);
  return pivotsOf(cutting).flatMap((pivot): CutTest[] => {
    const end = startOf(pivot) + duration(pivot);
    return [
      (member) => startOf(member) + duration(member) <= end,
      (member) => startOf(member) < end,
      (member) => latestOf(member) <= latestOf(pivot),
      (member) => member === pivot || order.precedes(member, pivot),
      (member) => member !== pivot && !order.precedes(pivot, member),
    ];
  });
}

/** A sample of the members, spread evenly over their order. */
function pivotsOf({ members, pivots }: CutSearch): readonly number[] {
  if (members.length <= pivots) return members;
  return Array.from({ length: pivots }, (_, at) => members[Math.floor(((at + 0.5) * members.length) / pivots)] ?? 0);
}

/** Cuts of connected members, the most promising first. */
export function cutsOf(cutting: CutSearch): Cut[] {
  const { members, order } = cutting;
  const times = timesOf(cutting);
  const sides = new SideEstimates(cutting);
  const seen = new Set<string>();
  const cuts: (Cut & { cost: number; waiting: number })[] = [];
  for (const isFirst of testsOf(cutting, times)) {
    markFirstSide(members, isFirst, order, sides.inside);
    const first: number[] = [];
    const second: number[] = [];
    for (const member of members) (sides.inside[member] === 1 ? first : second).push(member);
    if (first.length === 0 || second.length === 0) continue;
    // Numbers of nodes are below 65,536: a letter for each makes the shortest key.
    const key = String.fromCharCode(...first);
    if (seen.has(key)) continue;
    seen.add(key);
    const before = sides.estimate(1);
    // The sum of delays that the cut causes on its second side.
    const waiting = second.reduce((sum, member) => sum + Math.max(0, before - (times.start[member] ?? 0)), 0);
    cuts.push({ first, second, cost: before + sides.estimate(0), waiting });
  }
  return cuts.sort((a, b) => a.cost - b.cost || a.waiting - b.waiting);
}

/** Adds all predecessors: times alone do not order nodes with a duration of 0. */
function markFirstSide(members: readonly number[], isFirst: CutTest, order: Order, inside: Uint8Array): void {
  for (const member of members) inside[member] = isFirst(member) ? 1 : 0;
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const member = members[at] ?? 0;
    if (inside[member] === 1) for (const first of order.predecessors[member] ?? []) inside[first] = 1;
  }
}

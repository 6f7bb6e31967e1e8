/**
 * Dependencies → a plan that keeps them, with the least expected time that is found, in which never more than `limit`
 * nodes run at once.
 *
 * Orders without an N (a before c, b before c and d, nothing else) are exactly those that nesting can express: they come
 * apart into series and parallel parts, and no node waits for another that it does not depend on. Source: Valdes, Tarjan,
 * Lawler, "The recognition of series parallel digraphs", SIAM J. Comput. 11 (1982). Any other order is cut in two where
 * that is expected to cost least: everything behind the cut waits for everything before it. Every nested plan of an order
 * that is in one piece begins with such a cut.
 */
import { cutsOf } from "./cuts.ts";
import { costOf, fitShape, type Shape, shapeBeside, shapeInTurn, shapeOf } from "./fit.ts";
import { componentsOf, type Order } from "./order.ts";
import { one, type Plan, series } from "./plan.ts";

export interface Scheduling {
  order: Order;
  /** Expected, in seconds. */
  duration: (node: number) => number;
  /** The most nodes that may run at once. */
  limit: number;
}

/** Cuts that are worked out to the end; the others are told apart by an estimate. */
const TRIED_CUTS = 3;
/** What looking for cuts may cost in all, in pairs of nodes; then the most promising cut is taken. */
const EFFORT = 6_000;
/** Members of which it is asked where they could be cut off, while there is effort left, and then. */
const PIVOTS = 16;
const FEW_PIVOTS = 4;

class Scheduler {
  readonly #known = new Map<string, Shape>();
  readonly #ones: readonly Shape[];
  readonly #scheduling: Scheduling;
  #effort = 0;

  constructor(scheduling: Scheduling) {
    this.#scheduling = scheduling;
    const { order, duration } = scheduling;
    this.#ones = order.after.map((_, node) => shapeOf(node, duration(node)));
  }

  /** @param members in the order's order, at least one */
  shape(members: readonly number[]): Shape {
    const [only] = members;
    if (members.length === 1 && only !== undefined) return this.#one(only);
    const key = members.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const shape = this.#decompose(members);
    this.#known.set(key, shape);
    return shape;
  }

  #one(node: number): Shape {
    const known = this.#ones[node];
    if (known === undefined) throw new RangeError(`Nothing has the number ${node}`);
    return known;
  }

  #decompose(members: readonly number[]): Shape {
    const { before } = this.#scheduling.order;
    const related = (a: number, b: number): boolean => before(a, b) || before(b, a);
    const apart = componentsOf(members, related);
    if (apart.length > 1) {
      const beside = shapeBeside(apart.map((part) => this.shape(part)));
      // Where not all of it has room, waiting for parts that nothing depends on may cost less than narrow lanes.
      const tight = beside.width > this.#scheduling.limit && members.length > apart.length;
      return tight ? this.#cut(members, beside) : beside;
    }
    // Members are sorted, so that the first of a stage stands before the first of each later one.
    const stages = componentsOf(members, (a, b) => !related(a, b));
    if (stages.length > 1) return shapeInTurn(stages.map((stage) => this.shape(stage)));
    return this.#cut(members);
  }

  #cut(members: readonly number[], otherwise?: Shape): Shape {
    const { limit } = this.#scheduling;
    this.#effort += members.length ** 2;
    const pivots = this.#effort > EFFORT ? FEW_PIVOTS : PIVOTS;
    const cuts = cutsOf({ ...this.#scheduling, members, pivots });
    let best = this.#waves(members);
    let least = costOf(fitShape(best, limit));
    const beside = otherwise === undefined ? Infinity : costOf(fitShape(otherwise, limit));
    if (otherwise !== undefined && beside <= least) {
      best = otherwise;
      least = beside;
    }
    cuts.slice(0, TRIED_CUTS).forEach(({ first, second }, at) => {
      if (at > 0 && this.#effort > EFFORT) return;
      const shape = shapeInTurn([this.shape(first), this.shape(second)]);
      const cost = costOf(fitShape(shape, limit));
      if (cost >= least) return;
      best = shape;
      least = cost;
    });
    return best;
  }

  /** In waves: each member as early as its chain allows. */
  #waves(members: readonly number[]): Shape {
    const depths = new Map<number, number>();
    const waves: Shape[][] = [];
    for (const member of members) {
      const firsts = this.#scheduling.order.after[member] ?? [];
      const depth = Math.max(-1, ...firsts.map((first) => depths.get(first) ?? -1)) + 1;
      depths.set(member, depth);
      waves[depth] = [...(waves[depth] ?? []), this.#one(member)];
    }
    return shapeInTurn(waves.map((wave) => shapeBeside(wave)));
  }
}

/** @throws RangeError for no nodes, or a limit below 1 */
export function schedule(scheduling: Scheduling): Plan {
  const { order, limit } = scheduling;
  if (order.size === 0 || !(limit >= 1)) throw new RangeError("A plan needs nodes, and room for one of them");
  if (limit === 1) return series(order.sorted.map(one));
  return fitShape(new Scheduler(scheduling).shape(order.sorted), limit).plan;
}

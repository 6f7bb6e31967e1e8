/**
 * Dependencies → a plan that keeps them with the least expected time found, and never more than `limit` nodes at once.
 *
 * Nesting can express exactly the orders without an N (a before c, b before c and d, nothing else): they decompose into
 * series and parallel parts without needless waits. Source: Valdes, Tarjan, Lawler, "The recognition of series parallel
 * digraphs", SIAM J. Comput. 11 (1982). Any other order is cut in two at the least expected cost: everything behind the
 * cut waits for everything before it. Every nested plan of a connected order begins with such a cut.
 */
import { type Cut, cutsOf } from "./cuts.ts";
import { Effort } from "./effort.ts";
import { costOf, type Fitted, fitShape, nodeShape, parallelShape, type Shape, seriesShape } from "./fit.ts";
import { connectedComponents, type Order } from "./order.ts";
import { nodePlan, type Plan, seriesPlan } from "./plan.ts";

export interface Scheduling {
  order: Order;
  /** Expected duration in seconds. */
  duration: (node: number) => number;
  /** The most nodes that may run at once. */
  limit: number;
}

/** Cuts that are planned in full; the others are only estimated. */
const MAX_TRIED_CUTS = 3;
/** Members tried as pivots of a cut while there is effort left, and after it is spent. */
const MAX_PIVOTS = 16;
const MAX_PIVOTS_WHEN_SPENT = 4;
/** Budget of the search in elementary operations (some 20 ms); after it the most promising cut is taken. */
const SEARCH_OPERATIONS = 200_000;
/** Budget of everything; after it the rest runs in waves. */
const MAX_OPERATIONS = 2 * SEARCH_OPERATIONS;

class Scheduler {
  readonly #known = new Map<string, Shape>();
  readonly #ones: readonly Shape[];
  readonly #scheduling: Scheduling;
  readonly #effort = new Effort(SEARCH_OPERATIONS);

  constructor(scheduling: Scheduling) {
    this.#scheduling = scheduling;
    const { order, duration } = scheduling;
    this.#ones = order.predecessors.map((_, node) => nodeShape(node, duration(node)));
  }

  plan(): Plan {
    return this.#fit(this.#shape(this.#scheduling.order.sorted)).plan;
  }

  #fit(shape: Shape): Fitted {
    return fitShape(shape, { limit: this.#scheduling.limit, effort: this.#effort });
  }

  /** @param members sorted topologically, at least one */
  #shape(members: readonly number[]): Shape {
    const [only] = members;
    if (members.length === 1 && only !== undefined) return this.#one(only);
    const key = members.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const shape = this.#decompose(members);
    this.#known.set(key, shape);
    return shape;
  }

  #shapes(parts: readonly (readonly number[])[]): Shape[] {
    return this.#effort.divideAmong(
      parts,
      (part) => (part.length - 1) ** 2,
      (part) => this.#shape(part),
    );
  }

  #one(node: number): Shape {
    const known = this.#ones[node];
    if (known === undefined) throw new RangeError(`Nothing has the number ${node}`);
    return known;
  }

  #decompose(members: readonly number[]): Shape {
    const { order, limit } = this.#scheduling;
    const related = (a: number, b: number): boolean => order.precedes(a, b) || order.precedes(b, a);
    this.#effort.spend(members.length ** 2);
    const apart = connectedComponents(members, related);
    if (apart.length > 1) {
      const mayBeTight = members.length > limit && members.length > apart.length;
      const beside = this.#effort.withShare(mayBeTight ? 1 / 2 : 1, () => parallelShape(this.#shapes(apart)));
      // When not all branches have room, waiting for independent parts may cost less than narrow lanes.
      return mayBeTight && beside.width > limit ? this.#cut(members, beside) : beside;
    }
    // Members are sorted, so the first member of a stage precedes the first member of each later stage.
    const stages = connectedComponents(members, (a, b) => !related(a, b));
    return stages.length > 1 ? seriesShape(this.#shapes(stages)) : this.#cut(members);
  }

  #cut(members: readonly number[], otherwise?: Shape): Shape {
    const effort = this.#effort;
    if (effort.spent > MAX_OPERATIONS) return otherwise ?? this.#waves(members);
    const pivots = effort.isSpent ? MAX_PIVOTS_WHEN_SPENT : MAX_PIVOTS;
    const shapes: Shape[] = [...(otherwise === undefined ? [] : [otherwise]), this.#waves(members)];
    let best = this.#best(shapes);
    for (const [at, { first, second }] of this.#cuts(members, pivots).slice(0, MAX_TRIED_CUTS).entries()) {
      if (at > 0 && effort.isSpent) break;
      best = effort.withShare(1 / (MAX_TRIED_CUTS - at), () =>
        this.#best([best, seriesShape(this.#shapes([first, second]))]),
      );
    }
    return best;
  }

  /** The shape with the cheapest plan; the first of equal ones. */
  #best(shapes: readonly Shape[]): Shape {
    const cost = (shape: Shape): number => costOf(this.#fit(shape));
    return shapes.reduce((best, other) => (cost(other) < cost(best) ? other : best));
  }

  #cuts(members: readonly number[], pivots: number): Cut[] {
    const { predecessors } = this.#scheduling.order;
    const links = members.reduce((sum, member) => sum + (predecessors[member]?.length ?? 0), 0);
    this.#effort.spend(pivots * (members.length * 3 + links * 2));
    return cutsOf({ ...this.#scheduling, members, pivots });
  }

  /** Waves: each member as early as its chain allows. */
  #waves(members: readonly number[]): Shape {
    const depths = new Map<number, number>();
    const waves: Shape[][] = [];
    for (const member of members) {
      const own = this.#scheduling.order.predecessors[member] ?? [];
      const depth = Math.max(-1, ...own.map((first) => depths.get(first) ?? -1)) + 1;
      depths.set(member, depth);
      waves[depth] = [...(waves[depth] ?? []), this.#one(member)];
    }
    return seriesShape(waves.map((wave) => parallelShape(wave)));
  }
}

/** @throws RangeError for no nodes, or a limit below 1 */
export function schedule(scheduling: Scheduling): Plan {
  const { order, limit } = scheduling;
  if (order.size === 0 || !(limit >= 1)) throw new RangeError("A plan needs nodes, and room for one of them");
  if (limit === 1) return seriesPlan(order.sorted.map(nodePlan));
  return new Scheduler(scheduling).plan();
}

/** Assigns rows to the items of a list in ascending order, maximising the total match. */

export interface ChainStep {
  /** Row or word number; items follow each other in ascending order. */
  order: number;
  /** The match of the item there. */
  score: number;
}

/** Bonus for an item within this many rows of the one before: tables are rarely interrupted. */
const MAX_ROWS_TO_NEXT_ITEM = 3;
const NEXT_ITEM_BONUS = 0.1;

interface ChainLink extends ChainStep {
  total: number;
  before: ChainLink | null;
  item: number;
}

/** The best total so far up to each order (P. Fenwick's tree, with maxima). */
class BestLinks {
  readonly #links: (ChainLink | undefined)[];

  constructor(size: number) {
    this.#links = Array.from({ length: size + 1 });
  }

  put(place: number, link: ChainLink): void {
    for (let at = place + 1; at < this.#links.length; at += at & -at) {
      if (link.total > (this.#links[at]?.total ?? 0)) this.#links[at] = link;
    }
  }

  /** The best link before `place`. */
  upTo(place: number): ChainLink | null {
    let best: ChainLink | null = null;
    for (let at = place; at > 0; at -= at & -at) {
      const link = this.#links[at];
      if (link !== undefined && link.total > (best?.total ?? 0)) best = link;
    }
    return best;
  }
}

/**
 * The chain of steps, at most one per item, in ascending order and with the greatest sum of scores; O(n log n) in the
 * number of steps. @returns the step of each item, or null
 */
export function longestChain(items: readonly (readonly ChainStep[])[]): (ChainStep | null)[] {
  const orders = [...new Set(items.flatMap((steps) => steps.map(({ order }) => order)))].sort((a, b) => a - b);
  const places = new Map(orders.map((order, place) => [order, place]));
  const best = new BestLinks(orders.length);
  let end: ChainLink | null = null;
  let last = new Map<number, ChainLink>();
  for (const [item, steps] of items.entries()) {
    const links = steps.map((step): ChainLink => {
      let before = best.upTo(places.get(step.order) ?? 0);
      let bonus = 0;
      for (let back = 1; back <= MAX_ROWS_TO_NEXT_ITEM; back += 1) {
        const near = last.get(step.order - back);
        if (near === undefined || near.total + NEXT_ITEM_BONUS <= (before?.total ?? 0) + bonus) continue;
        before = near;
        bonus = NEXT_ITEM_BONUS;
      }
      return { ...step, item, before, total: step.score + bonus + (before?.total ?? 0) };
    });
    // Links are added after all steps of the item: an item stands once.
    for (const link of links) {
      best.put(places.get(link.order) ?? 0, link);
      if (end === null || link.total > end.total) end = link;
    }
    last = new Map(links.map((link) => [link.order, link]));
  }
  const chosen: (ChainStep | null)[] = items.map(() => null);
  for (let link = end; link !== null; link = link.before) chosen[link.item] = link;
  return chosen;
}

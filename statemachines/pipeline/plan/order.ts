/** A strict partial order over items numbered from 0: predecessors end before their successors begin. */

export interface Order {
  readonly size: number;
  /** True when `first` must end before `second` begins, directly or through others. */
  precedes(first: number, second: number): boolean;
  /** For each item, its direct predecessors. */
  readonly predecessors: readonly (readonly number[])[];
  /** A topological order; among free items the lowest number comes first. */
  readonly sorted: readonly number[];
}

/**
 * The order spanned by edges.
 * @param edges for each item, the items that must end before it
 * @throws RangeError for a cycle, or an edge to an unknown item
 */
export function orderOf(edges: readonly (readonly number[])[]): Order {
  const size = edges.length;
  const reach = Array.from({ length: size }, () => new Uint8Array(size));
  const sorted = sortTopologically(edges);
  for (const thing of sorted) {
    const own = reach[thing] ?? new Uint8Array(size);
    for (const first of edges[thing] ?? []) {
      // What it reaches is known already, from another dependency that waits for it.
      if (own[first] === 1) continue;
      own[first] = 1;
      const further = reach[first] ?? own;
      for (let at = 0; at < size; at += 1) if (further[at] === 1) own[at] = 1;
    }
  }
  const precedes = (first: number, second: number): boolean => reach[second]?.[first] === 1;
  const predecessors = edges.map((dependencies) => {
    const distinct = [...new Set(dependencies)];
    const further = distinct.map((other) => reach[other] ?? new Uint8Array(size));
    return distinct.filter((first) => further.every((reached) => reached[first] === 0));
  });
  return { size, sorted, precedes, predecessors };
}

function sortTopologically(edges: readonly (readonly number[])[]): number[] {
  const left = edges.map((dependencies) => new Set(dependencies).size);
  const next = edges.map((): number[] => []);
  edges.forEach((dependencies, thing) => {
    for (const first of new Set(dependencies)) {
      const followers = next[first];
      if (followers === undefined) throw new RangeError(`Nothing has the number ${first}`);
      followers.push(thing);
    }
  });
  const sorted: number[] = [];
  const done = new Uint8Array(edges.length);
  for (let count = 0; count < edges.length; count += 1) {
    const thing = left.findIndex((waits, at) => waits === 0 && done[at] === 0);
    if (thing < 0) throw new RangeError("The edges have a cycle");
    done[thing] = 1;
    sorted.push(thing);
    for (const follower of next[thing] ?? []) left[follower] = (left[follower] ?? 0) - 1;
  }
  return sorted;
}

/** Connected components of `joined`; components and their members keep the order of `members`. */
export function connectedComponents(members: readonly number[], joined: (a: number, b: number) => boolean): number[][] {
  const groups: number[][] = [];
  let free = [...members];
  while (free.length > 0) {
    const found = free.slice(0, 1);
    const group = new Set(found);
    let rest = free.slice(1);
    for (const one of found) {
      const left: number[] = [];
      for (const other of rest) {
        if (joined(one, other)) found.push(other);
        else left.push(other);
      }
      rest = left;
    }
    for (const one of found) group.add(one);
    groups.push(members.filter((one) => group.has(one)));
    free = rest;
  }
  return groups;
}

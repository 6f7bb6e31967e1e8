/** Nodes that wait for each other in rings. */

type Edges = readonly (readonly number[])[];

/** For each node, all that it waits for, directly and through others; of a ring, also itself. */
export function reachOf(after: Edges): ReadonlySet<number>[] {
  return after.map((firsts) => {
    const seen = new Set(firsts);
    for (const node of seen) for (const first of after[node] ?? []) seen.add(first);
    return seen;
  });
}

/** One ring of each knot, nodes that all wait for each other: each of it waits for the next, the last for the first. */
export function cyclesOf(after: Edges): number[][] {
  const reach = reachOf(after);
  const told = new Set<number>();
  return after.flatMap((_, node) => {
    if (told.has(node) || reach[node]?.has(node) !== true) return [];
    for (const other of reach[node] ?? []) if (reach[other]?.has(node)) told.add(other);
    return [shortestRing(node, after)];
  });
}

/** @param start of a ring */
function shortestRing(start: number, after: Edges): number[] {
  const ways = new Map([[start, [start]]]);
  for (const [node, way] of ways) {
    for (const first of after[node] ?? []) {
      if (first === start) return way;
      if (!ways.has(first)) ways.set(first, [...way, first]);
    }
  }
  return [start];
}

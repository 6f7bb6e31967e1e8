/** Cycles of dependencies. */

type Edges = readonly (readonly number[])[];

/** For each node, its direct and indirect dependencies; a node of a cycle is among its own. */
export function transitiveDependencies(dependencies: Edges): ReadonlySet<number>[] {
  return dependencies.map((direct) => {
    const seen = new Set(direct);
    for (const node of seen) for (const dependency of dependencies[node] ?? []) seen.add(dependency);
    return seen;
  });
}

/**
 * One cycle of each strongly connected component: each node of it waits for the next, the last for the first.
 */
export function cyclesOf(dependencies: Edges): number[][] {
  const reachable = transitiveDependencies(dependencies);
  const covered = new Set<number>();
  return dependencies.flatMap((_, node) => {
    if (covered.has(node) || reachable[node]?.has(node) !== true) return [];
    for (const other of reachable[node] ?? []) if (reachable[other]?.has(node)) covered.add(other);
    return [shortestCycle(node, dependencies)];
  });
}

/** @param start a node of a cycle */
function shortestCycle(start: number, dependencies: Edges): number[] {
  const ways = new Map([[start, [start]]]);
  for (const [node, way] of ways) {
    for (const dependency of dependencies[node] ?? []) {
      if (dependency === start) return way;
      if (!ways.has(dependency)) ways.set(dependency, [...way, dependency]);
    }
  }
  return [start];
}

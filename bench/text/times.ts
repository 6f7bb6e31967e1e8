/** Wall and processor time, the best of some rounds, and how two readers' compare. */
import { performance } from "node:perf_hooks";

/** Milliseconds. */
export interface Use {
  wall: number;
  /** Of all threads, user and system. */
  cpu: number;
}

/** What else runs on the machine only ever makes it slower. */
export const better = (a: Use | undefined, b: Use): Use => ({
  wall: Math.min(a?.wall ?? Infinity, b.wall),
  cpu: Math.min(a?.cpu ?? Infinity, b.cpu),
});

/** Work in this process: what its compiler and collector do beside it counts as processor time. */
export async function timed<T>(work: () => Promise<T>): Promise<[T, Use]> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return [value, { wall: performance.now() - start, cpu: (user + system) / 1000 }];
}

const sumOf = (uses: readonly Use[], key: keyof Use): number => uses.reduce((sum, use) => sum + use[key], 0);

/** How many times as fast as the yardstick ours is. */
export interface Comparison {
  wall: number;
  cpu: number;
  /** By processor time, which no other process spoils: the middle document, and the one that comes out worst. */
  median: number;
  worst: number;
  worstAt: number;
}

/**
 * Compares documents one by one and in sum.
 * @param start what a yardstick's process takes before it reads anything: taken off each of its documents
 */
export function compareTimes(
  ours: readonly Use[],
  theirs: readonly Use[],
  start: Use = { wall: 0, cpu: 0 },
): Comparison {
  const left = theirs.map(({ wall, cpu }) => ({
    wall: Math.max(wall - start.wall, 0),
    cpu: Math.max(cpu - start.cpu, 0),
  }));
  const ratios = left.map(({ cpu }, at) => cpu / (ours[at]?.cpu ?? Infinity));
  const sorted = [...ratios].sort((a, b) => a - b);
  return {
    wall: sumOf(left, "wall") / sumOf(ours, "wall"),
    cpu: sumOf(left, "cpu") / sumOf(ours, "cpu"),
    median: sorted[sorted.length >> 1] ?? 0,
    worst: sorted[0] ?? 0,
    worstAt: ratios.indexOf(sorted[0] ?? 0),
  };
}

/** Pages a second. */
export const speed = (pages: number, uses: readonly Use[], key: keyof Use): number => (1000 * pages) / sumOf(uses, key);

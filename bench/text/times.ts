/** Wall and CPU time, as the best of some rounds, and their comparison. */
import { performance } from "node:perf_hooks";

/** In milliseconds. */
export interface TimeUse {
  wall: number;
  /** User and system time of all threads. */
  cpu: number;
}

/** The minimum: other load only makes times longer. */
export const bestOf = (a: TimeUse | undefined, b: TimeUse): TimeUse => ({
  wall: Math.min(a?.wall ?? Infinity, b.wall),
  cpu: Math.min(a?.cpu ?? Infinity, b.cpu),
});

/** Times work in this process; compiler and garbage collector count as CPU time. */
export async function timeWork<T>(work: () => Promise<T>): Promise<[T, TimeUse]> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return [value, { wall: performance.now() - start, cpu: (user + system) / 1000 }];
}

const sumOf = (uses: readonly TimeUse[], key: keyof TimeUse): number => uses.reduce((sum, use) => sum + use[key], 0);

/** Our speed relative to the yardstick. */
export interface SpeedComparison {
  wall: number;
  cpu: number;
  /** By CPU time, which other processes do not disturb: the median document, and the worst one. */
  median: number;
  worst: number;
  worstAt: number;
}

/**
 * Compares documents one by one and in sum.
 * @param start time of a yardstick's process before it reads anything; subtracted from each of its documents
 */
export function compareTimes(
  ours: readonly TimeUse[],
  theirs: readonly TimeUse[],
  start: TimeUse = { wall: 0, cpu: 0 },
): SpeedComparison {
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

/** In pages per second. */
export const speed = (pages: number, uses: readonly TimeUse[], key: keyof TimeUse): number =>
  (1000 * pages) / sumOf(uses, key);

/**
 * Repeats a measurement until its figures are known well enough, or says that they are not: a busy machine gives no
 * figure, rather than a wrong one.
 */
import { availableParallelism, loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import { quantile } from "./spread.ts";

/** The values of one measure in all rounds. */
export interface Spread {
  median: number;
  /** 95 % interval of the median; the least and the greatest value where the rounds are too few for one. */
  low: number;
  high: number;
  rounds: number;
}

export interface RepeatOptions {
  /** The widest interval, as a share of its median; default 0.1. */
  width?: number;
  /** Names of the measures whose intervals must be narrow; default: all. */
  narrow?: readonly string[];
  leastRounds?: number;
  mostRounds?: number;
  /** No round begins after this time, in milliseconds. */
  mostMs?: number;
}

export interface Repeated<Name extends string> {
  spreads: Record<Name, Spread>;
  /** False: the figures are INCONCLUSIVE. */
  isNarrow: boolean;
  /** Mean number of programs that wanted a processor, this one among them, and the number of processors. */
  load: number;
  processors: number;
}

/** Fewer rounds have no 95 % interval of a median. */
export const LEAST_ROUNDS = 6;
const CONFIDENCE = 0.95;
/** The widest interval of a figure, as a share of its median. */
export const DEFAULT_WIDTH = 0.1;
const DEFAULT_MOST_ROUNDS = 40;
const DEFAULT_MOST_MS = 120_000;

/**
 * The greatest rank, from 0, whose value is below a quantile in 97.5 of 100 cases, whatever the values' distribution:
 * each value is below it with the quantile's share as probability. 0 where the values are too few.
 */
function lowRank(count: number, share: number): number {
  let [chance, tail, rank] = [(1 - share) ** count, 0, 0];
  while (rank < count) {
    tail += chance;
    if (2 * tail > 1 - CONFIDENCE) break;
    chance *= ((count - rank) / (rank + 1)) * (share / (1 - share));
    rank += 1;
  }
  return Math.max(0, rank - 1);
}

/**
 * Ranks, from 0, of the values that enclose a quantile in 95 of 100 cases. Where the values are too few for a bound, the
 * least or the greatest value stands for it, and `isEnclosed` is false.
 */
export function quantileRanks(count: number, share: number): { low: number; high: number; isEnclosed: boolean } {
  const [low, high] = [lowRank(count, share), count - 1 - lowRank(count, 1 - share)];
  const missed = Math.max((1 - share) ** count, share ** count);
  return { low, high, isEnclosed: 2 * missed <= 1 - CONFIDENCE };
}

/** Ranks, from 0, of the values that enclose a median in 95 of 100 cases. The whole range where the values are too few. */
export function medianRanks(count: number): [low: number, high: number] {
  const { low, high } = quantileRanks(count, 0.5);
  return [low, high];
}

/** @throws RangeError without a value */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError("No round was measured");
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const [low, high] = medianRanks(sorted.length);
  const upper = sorted[half] ?? Number.NaN;
  return {
    median: sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2,
    low: sorted[low] ?? Number.NaN,
    high: sorted[high] ?? Number.NaN,
    rounds: sorted.length,
  };
}

export interface QuantileSpread extends Spread {
  /** False where the values are too few for an interval; it is their range then. */
  isEnclosed: boolean;
}

/** A quantile of single values, such as times of requests, and its interval. @throws RangeError without a value */
export function quantileSpread(values: readonly number[], share: number): QuantileSpread {
  const sorted = [...values].sort((a, b) => a - b);
  const { low, high, isEnclosed } = quantileRanks(sorted.length, share);
  const at = (rank: number): number => sorted[rank] ?? Number.NaN;
  if (sorted.length === 0) throw new RangeError("Nothing was measured");
  return { median: quantile(sorted, share), low: at(low), high: at(high), rounds: sorted.length, isEnclosed };
}

/** True when the interval is no wider than a share of its median. */
export const isNarrow = ({ low, high, median, rounds }: Spread, width: number): boolean =>
  rounds >= LEAST_ROUNDS && high - low <= width * Math.abs(median);

/**
 * Measures round after round.
 * @param round gives its values by name, the same names each time; what is compared should be measured in one round,
 *   side by side, so that other load meets both
 */
export async function repeatUntilNarrow<Name extends string>(
  round: (index: number) => Promise<Record<Name, number>>,
  options: RepeatOptions = {},
): Promise<Repeated<Name>> {
  const { width = DEFAULT_WIDTH, mostRounds = DEFAULT_MOST_ROUNDS, mostMs = DEFAULT_MOST_MS } = options;
  const least = Math.min(options.leastRounds ?? LEAST_ROUNDS, mostRounds);
  const values: Partial<Record<Name, number[]>> = {};
  const loads: number[] = [];
  const begun = performance.now();
  for (let index = 0; ; index++) {
    for (const [name, value] of Object.entries(await round(index)) as [Name, number][]) {
      values[name] = [...(values[name] ?? []), value];
    }
    loads.push(loadavg()[0] ?? Number.NaN);
    const spreads = Object.fromEntries(
      Object.entries(values).map(([name, all]) => [name, spreadOf(all as number[])]),
    ) as Record<Name, Spread>;
    const watched = Object.entries<Spread>(spreads).filter(([name]) => options.narrow?.includes(name) ?? true);
    const narrow = watched.every(([, spread]) => isNarrow(spread, width));
    const isOver = index + 1 >= mostRounds || performance.now() - begun >= mostMs;
    if ((narrow && index + 1 >= least) || isOver) {
      const load = loads.reduce((sum, one) => sum + one, 0) / loads.length;
      return { spreads, isNarrow: narrow, load, processors: availableParallelism() };
    }
  }
}

/** A figure with its interval, or why there is none. */
export function sayFigure({ median, low, high, rounds }: Spread, known: boolean, digits = 2): string {
  const interval = `${low.toFixed(digits)} to ${high.toFixed(digits)}, ${rounds} rounds`;
  return known ? `${median.toFixed(digits)} (${interval})` : `INCONCLUSIVE (${interval})`;
}

/** The load under which figures were measured, as a line. */
export const sayLoad = ({ load, processors }: Pick<Repeated<string>, "load" | "processors">): string =>
  `load ${load.toFixed(1)} on ${processors} processors${load > processors ? ": others disturb the times" : ""}`;

export type Verdict = "holds" | "FAILED" | "INCONCLUSIVE";

/** Judges a requirement by the whole interval: it holds, or fails, only where every value of the interval does. */
export function judge(
  { low, high }: Pick<Spread, "low" | "high">,
  bound: { least: number } | { most: number },
): Verdict {
  const [all, none] =
    "least" in bound ? [low >= bound.least, high < bound.least] : [high <= bound.most, low > bound.most];
  return all ? "holds" : none ? "FAILED" : "INCONCLUSIVE";
}

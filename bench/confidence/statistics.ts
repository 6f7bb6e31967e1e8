/** Discrimination and calibration of scores. */
import type { Random } from "./random.ts";

export interface Scored {
  group: string;
  score: number;
  right: boolean;
}

/**
 * The chance that a right value scores higher than a wrong one, ties counting half (the Mann-Whitney statistic). NaN
 * without both.
 */
export function auroc(values: readonly Pick<Scored, "score" | "right">[]): number {
  const sorted = [...values].sort((a, b) => a.score - b.score);
  const positives = sorted.filter(({ right }) => right).length;
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (sorted[at]?.right === true) ranks += rank;
    from = to;
  }
  const negatives = sorted.length - positives;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** The middle 95 % of a measure over documents drawn with replacement (B. Efron, 1979). */
export function bootstrapOf<T>(
  groups: readonly (readonly T[])[],
  measure: (values: readonly T[]) => number,
  draws: number,
  random: Random,
): { low: number; high: number } {
  const found: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const one = measure(groups.flatMap(() => random.pick(groups)));
    if (!Number.isNaN(one)) found.push(one);
  }
  found.sort((a, b) => a - b);
  const at = (share: number): number =>
    found[Math.min(found.length - 1, Math.floor(found.length * share))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}

/** The same of AUROC. */
export const bootstrap = (values: readonly Scored[], draws: number, random: Random): { low: number; high: number } =>
  bootstrapOf([...Map.groupBy(values, ({ group }) => group).values()], auroc, draws, random);

export interface ReliabilityBin {
  from: number;
  to: number;
  count: number;
  /** Mean of the scores. */
  promised: number;
  /** Number of right values. */
  kept: number;
}

/** Bins values by score, in tenths. */
export function reliability(values: readonly Scored[]): ReliabilityBin[] {
  return Array.from({ length: 10 }, (_, at) => {
    const inside = values.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === at);
    return {
      from: at / 10,
      to: (at + 1) / 10,
      count: inside.length,
      promised: inside.reduce((sum, { score }) => sum + score, 0) / inside.length,
      kept: inside.filter(({ right }) => right).length,
    };
  }).filter(({ count }) => count > 0);
}

/** The expected calibration error: the mean distance between promised and actual share of right values. */
export const calibrationError = (bins: readonly ReliabilityBin[]): number => {
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return bins.reduce((sum, { count, promised, kept }) => sum + Math.abs(promised * count - kept) / all, 0);
};

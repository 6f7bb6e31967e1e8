/** Scores of judgements: recall, precision and others, with their confidence intervals. */
import type { Judgement } from "./judge.ts";
import { DEFAULT_FUZZY_SIMILARITY } from "./rules.ts";

export interface Interval {
  low: number;
  high: number;
}

/** Hits of trials; null without trials. `interval` is the 95 % confidence interval. */
export interface Share {
  hits: number;
  of: number;
  share: number | null;
  interval: Interval;
}

export interface Score {
  /** Numbers of expected, returned and right values. */
  stated: number;
  returned: number;
  right: number;
  /** Returned values that are wrong, and returned values that nothing expects. */
  wrong: number;
  spurious: number;
  missing: number;
  /** Values that are rightly absent. */
  absent: number;
  /** Right values of the expected ones, and of the returned ones. */
  recall: Share;
  precision: Share;
  /** Shares of the expected values: equal to the letter; normalised; similar enough. */
  exact: Share;
  normalised: Share;
  fuzzy: Share;
  /** Mean similarity of the expected values, 0 to 1. */
  similarity: number | null;
}

/** The two-sided 95 % quantile of the normal distribution. */
const Z_95_PERCENT = 1.959964;

/** The 95 % score interval of a share (E. B. Wilson, 1927). */
export function wilsonInterval(hits: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const share = hits / trials;
  const scale = 1 + (Z_95_PERCENT * Z_95_PERCENT) / trials;
  const centre = share + (Z_95_PERCENT * Z_95_PERCENT) / (2 * trials);
  const spread =
    Z_95_PERCENT * Math.sqrt((share * (1 - share)) / trials + (Z_95_PERCENT * Z_95_PERCENT) / (4 * trials * trials));
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - spread) / scale),
    high: hits === trials ? 1 : Math.min(1, (centre + spread) / scale),
  };
}

export const shareOf = (hits: number, of: number): Share => ({
  hits,
  of,
  share: of === 0 ? null : hits / of,
  interval: wilsonInterval(hits, of),
});

/** The 95 % interval of the difference of two shares, new minus old, from their score intervals (R. Newcombe, 1998). */
export function differenceOf(before: Share, after: Share): Interval | null {
  if (before.share === null || after.share === null) return null;
  const difference = after.share - before.share;
  return {
    low: difference - Math.hypot(after.share - after.interval.low, before.interval.high - before.share),
    high: difference + Math.hypot(after.interval.high - after.share, before.share - before.interval.low),
  };
}

export function scoreOf(judgements: readonly Judgement[]): Score {
  const count = (verdict: Judgement["verdict"]): number =>
    judgements.reduce((sum, one) => sum + Number(one.verdict === verdict), 0);
  const [right, wrong, spurious, missing] = [count("right"), count("wrong"), count("spurious"), count("missing")];
  const stated = judgements.filter(({ verdict }) => verdict !== "spurious" && verdict !== "absent");
  const some = (is: (one: Judgement) => boolean): Share => shareOf(stated.filter(is).length, stated.length);
  const returned = right + wrong + spurious;
  const likeness = stated.reduce((sum, one) => sum + one.similarity, 0);
  return {
    stated: stated.length,
    returned,
    right,
    wrong,
    spurious,
    missing,
    absent: count("absent"),
    recall: shareOf(right, stated.length),
    precision: shareOf(right, returned),
    exact: some(({ exact }) => exact),
    normalised: some(({ normalised }) => normalised),
    fuzzy: some(({ similarity }) => similarity >= DEFAULT_FUZZY_SIMILARITY),
    similarity: stated.length === 0 ? null : likeness / stated.length,
  };
}

/** Scores by group, sorted by name. */
export function scoresBy<T extends Judgement>(
  judgements: readonly T[],
  of: (judgement: T) => string,
): Record<string, Score> {
  const groups = [...Map.groupBy(judgements, of)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([name, members]) => [name, scoreOf(members)]));
}

/**
 * The influence of a single part (usually a document) on a score: the lowest and the highest score with one part left
 * out.
 * @returns null for fewer than two parts
 */
export function leaveOneOut(
  parts: readonly (readonly Judgement[])[],
  measure: (score: Score) => number | null,
): Interval | null {
  const shares = parts.flatMap((_, at) => measure(scoreOf(parts.filter((_part, other) => other !== at).flat())) ?? []);
  return parts.length < 2 || shares.length === 0 ? null : { low: Math.min(...shares), high: Math.max(...shares) };
}

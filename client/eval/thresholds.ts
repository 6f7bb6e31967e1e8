/** Thresholds of a set: `recall=0.9`, `/total:precision=0.95`. */
import type { Report } from "./report.ts";
import type { Score } from "./score.ts";

const MEASURES = ["recall", "precision", "exact", "normalised", "fuzzy"] as const;
type Measure = (typeof MEASURES)[number];

export interface Threshold {
  /** A JSON Pointer with `*` for indices; null: all fields. */
  field: string | null;
  measure: Measure;
  least: number;
}

/** @returns undefined for any other text */
export function parseThreshold(text: string): Threshold | undefined {
  const [, field, name, least] = /^(?:(\/.*):)?([a-z]+)=(0|1|0?\.\d+|1\.0+)$/u.exec(text) ?? [];
  const measure = MEASURES.find((one) => one === name);
  return measure === undefined ? undefined : { field: field ?? null, measure, least: Number(least) };
}

export interface Shortfall extends Threshold {
  /** Null: nothing was measured. */
  reached: number | null;
}

/** The thresholds that a report misses. A field that does not occur misses all of its thresholds. */
export function shortfallsOf(
  { total, fields }: Pick<Report, "total" | "fields">,
  thresholds: readonly Threshold[],
): Shortfall[] {
  return thresholds.flatMap((threshold) => {
    const { field, measure, least } = threshold;
    const score: Score | undefined = field === null ? total : Object.hasOwn(fields, field) ? fields[field] : undefined;
    const reached = score?.[measure].share ?? null;
    return reached !== null && reached >= least ? [] : [{ ...threshold, reached }];
  });
}

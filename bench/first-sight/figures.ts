/** The figures of a set, with intervals over its documents. */
import { scoreOf } from "../../client/eval/score.ts";
import { Random } from "../confidence/random.ts";
import { auroc, bootstrapOf } from "../confidence/statistics.ts";
import type { FileMeasurement, RatedValue } from "./measure.ts";

const BOOTSTRAP_DRAWS = 2_000;
/** The same interval for the same answers. */
const BOOTSTRAP_SEED = 7;

/** A share with the middle 95 % of its bootstrap over documents; null where nothing can be counted. */
export interface Figure {
  share: number | null;
  low: number | null;
  high: number | null;
}

export interface SetFigures {
  files: number;
  /** Numbers of stated values and of stated cells of line items. */
  fields: number;
  cells: number;
  recall: Figure;
  precision: Figure;
  cellRecall: Figure;
  cellPrecision: Figure;
  /** The chance that a right value is surer than a wrong one, over all values that were read, sure or not. */
  auroc: Figure;
}

const rounded = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toFixed(3)));

/** @param groups the values of each document */
export function figureOf<T>(groups: readonly (readonly T[])[], measure: (values: readonly T[]) => number): Figure {
  const share = rounded(measure(groups.flat()));
  if (share === null) return { share, low: null, high: null };
  const { low, high } = bootstrapOf(groups, measure, BOOTSTRAP_DRAWS, new Random(BOOTSTRAP_SEED));
  return { share, low: rounded(low), high: rounded(high) };
}

const shareOf =
  (of: "recall" | "precision") =>
  (values: readonly RatedValue[]): number =>
    scoreOf(values)[of].share ?? Number.NaN;

/** Returned values with a confidence: right or not. */
const scored = (values: readonly RatedValue[]): { score: number; right: boolean }[] =>
  values.flatMap(({ verdict, confidence }) =>
    confidence === undefined || verdict === "missing" || verdict === "absent"
      ? []
      : [{ score: confidence, right: verdict === "right" }],
  );

export function figuresOf(measured: readonly FileMeasurement[]): SetFigures {
  const values = measured.map((one) => one.values);
  const cells = measured.map((one) => one.cells);
  return {
    files: measured.length,
    fields: scoreOf(values.flat()).stated,
    cells: scoreOf(cells.flat()).stated,
    recall: figureOf(values, shareOf("recall")),
    precision: figureOf(values, shareOf("precision")),
    cellRecall: figureOf(cells, shareOf("recall")),
    cellPrecision: figureOf(cells, shareOf("precision")),
    auroc: figureOf(
      measured.map(({ read }) => scored(read)),
      auroc,
    ),
  };
}

/** The figures of a set, with intervals over its documents. */
import { scoreOf } from "../../client/eval/score.ts";
import { Random } from "../confidence/random.ts";
import { auroc, bootstrapOf } from "../confidence/statistics.ts";
import type { FileMeasurement, RatedValue } from "./measure.ts";
import { documentOf } from "./sets.ts";

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
  /** Number of given values with a confidence of 0.9 or more, and the share of them that is right. */
  sureValues: number;
  sure: Figure;
  /** Number of questions that the document does not answer, the share that was given a value, and how many surely. */
  unanswered: number;
  invented: Figure;
  inventedSurely: number;
}

/** From this confidence on a value is called sure. */
const SURE_CONFIDENCE = 0.9;

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

const isSure = ({ confidence = 0 }: Pick<RatedValue, "confidence">): boolean => confidence >= SURE_CONFIDENCE;

/** The share of true ones; NaN for none. */
const shareOfTrue = (all: readonly boolean[]): number => all.filter(Boolean).length / all.length;

/** Questions that the document does not answer. */
const unansweredIn = (values: readonly RatedValue[]): RatedValue[] =>
  values.filter(({ expected, expectedAt }) => expected === null && expectedAt !== null);

/** The values of each document: a form that is filled, flattened and scanned is drawn as one. */
function byDocument(
  measured: readonly FileMeasurement[],
  of: (one: FileMeasurement) => readonly RatedValue[],
): RatedValue[][] {
  const documents = Map.groupBy(measured, ({ file }) => documentOf(file));
  return [...documents.values()].map((files) => files.flatMap(of));
}

export function figuresOf(measured: readonly FileMeasurement[]): SetFigures {
  const values = byDocument(measured, (one) => one.values);
  const cells = byDocument(measured, (one) => one.cells);
  const sure = values.map((group) => scored(group).filter(({ score }) => isSure({ confidence: score })));
  const unanswered = values.map(unansweredIn);
  const isInvented = ({ verdict }: RatedValue): boolean => verdict === "spurious";
  return {
    files: measured.length,
    fields: scoreOf(values.flat()).stated,
    cells: scoreOf(cells.flat()).stated,
    recall: figureOf(values, shareOf("recall")),
    precision: figureOf(values, shareOf("precision")),
    cellRecall: figureOf(cells, shareOf("recall")),
    cellPrecision: figureOf(cells, shareOf("precision")),
    auroc: figureOf(byDocument(measured, ({ read }) => read).map(scored), auroc),
    sureValues: sure.flat().length,
    sure: figureOf(
      sure.map((group) => group.map(({ right }) => right)),
      shareOfTrue,
    ),
    unanswered: unanswered.flat().length,
    invented: figureOf(
      unanswered.map((group) => group.map(isInvented)),
      shareOfTrue,
    ),
    inventedSurely: unanswered.flat().filter((one) => isInvented(one) && isSure(one)).length,
  };
}

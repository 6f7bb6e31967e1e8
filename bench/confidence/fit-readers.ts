/** Weights of each reader's values, and scores of documents that were left out of the fit. */
import { type ReadBy, WEIGHTS } from "../../functions/engine/confidence/weights.ts";
import { MIN_OFFLINE_CONFIDENCE } from "../../functions/engine/confidence/withhold-unsure.ts";
import { type Fit, fitWeights, predict } from "./fit-weights.ts";
import { type JudgedValue, readByOf } from "./judged-values.ts";

const FIT_STEPS = 14;
/** The weights without one document are close to the weights of all. */
const REFIT_STEPS = 3;

export type Fits = Record<ReadBy, Fit>;

/** A lower cap withholds a value whatever its weights say. */
const isOpen = ({ cap }: JudgedValue): boolean => cap >= MIN_OFFLINE_CONFIDENCE;

/** A reader without values keeps its weights. @param updates changes of the shipped weights are fitted, not weights anew */
function fitOf(readBy: ReadBy, values: readonly JudgedValue[], updates: boolean, from?: Fit): Fit {
  if (values.length === 0) return WEIGHTS[readBy];
  const steps = from === undefined ? FIT_STEPS : REFIT_STEPS;
  return fitWeights(values.filter(isOpen), steps, from, updates ? WEIGHTS[readBy] : undefined);
}

/** Weights for each reader's values. */
const fitReaders = (fitOf: (readBy: ReadBy) => Fit): Fits => ({ model: fitOf("model"), rules: fitOf("rules") });

/** Weights fitted to all values. @param updates keeps weights near the shipped ones, for values that these were not fitted to */
export function fitAll(values: readonly JudgedValue[], updates: boolean): Fits {
  const ownOf = (readBy: ReadBy): JudgedValue[] => values.filter((value) => readByOf(value) === readBy);
  return fitReaders((readBy) => fitOf(readBy, ownOf(readBy), updates));
}

/** Judges each document by weights fitted without it. @returns a score for each value */
export function leaveOneOut(values: readonly JudgedValue[], all: Fits, updates: boolean): number[] {
  const byReader = Map.groupBy(values, readByOf);
  const fits = new Map<string, Fits>();
  for (const group of new Set(values.map((value) => value.group))) {
    const others = (readBy: ReadBy): JudgedValue[] =>
      (byReader.get(readBy) ?? []).filter((value) => value.group !== group);
    fits.set(
      group,
      fitReaders((readBy) => fitOf(readBy, others(readBy), updates, all[readBy])),
    );
  }
  return values.map((value) => predict((fits.get(value.group) ?? all)[readByOf(value)], value.signals));
}

/**
 * Logistic regression (J. Berkson, 1944) with fixed signs of the weights: Newton steps, each the minimum of the
 * parabola within the signs, found weight by weight. A ridge penalty keeps weights small that few values decide, or near
 * those of an earlier fit to other values, which it updates.
 */
import { SIGNAL_NAMES, SIGNALS, type Signals } from "../../functions/engine/confidence/signals.ts";

export interface Example {
  /** Its document. */
  group: string;
  source: "corpus" | "generated";
  signals: Signals;
  right: boolean;
}

export interface Fit {
  bias: number;
  /** A signal without a weight tells nothing. */
  weights: Partial<Signals>;
}

/** In units of an example's weight; about one document's share. */
const RIDGE_STRENGTH = 4;

interface Matrix {
  rows: Float64Array;
  targets: Float64Array;
  importance: Float64Array;
}

/**
 * Weight of documents that state nothing of what they are asked, such as blank forms, against those that do: a service is
 * rarely asked for what no page states, and their values are all wrong.
 */
const BLANK_WEIGHT = 0.5;

const MATRIX_COLUMNS = SIGNAL_NAMES.length + 1;

/**
 * Values of long tables count less each: a document weighs the root of its size. Real documents weigh as much as all
 * generated ones.
 */
function matrixOf(examples: readonly Example[]): Matrix {
  const sizes = new Map<string, number>();
  for (const { group } of examples) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const rows = new Float64Array(examples.length * MATRIX_COLUMNS);
  const targets = new Float64Array(examples.length);
  const importance = new Float64Array(examples.length);
  const worth = { corpus: 0, generated: 0 };
  for (const { group, source } of examples) worth[source] += 1 / Math.sqrt(sizes.get(group) ?? 1);
  const stating = new Set(examples.filter(({ right }) => right).map(({ group }) => group));
  for (const [at, { group, source, signals, right }] of examples.entries()) {
    rows[at * MATRIX_COLUMNS] = 1;
    for (const [column, name] of SIGNAL_NAMES.entries()) rows[at * MATRIX_COLUMNS + column + 1] = signals[name];
    targets[at] = right ? 1 : 0;
    const weight = (examples.length / 2) * (1 / Math.sqrt(sizes.get(group) ?? 1) / worth[source]);
    importance[at] = weight * (stating.has(group) ? 1 : BLANK_WEIGHT);
  }
  return { rows, targets, importance };
}

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit));

interface Slopes {
  slope: Float64Array;
  /** Row by row. */
  curvature: Float64Array;
}

/** @param anchor weights that the ridge penalty pulls to */
function slopesAt({ rows, targets, importance }: Matrix, weights: Float64Array, anchor: Float64Array): Slopes {
  const slope = new Float64Array(MATRIX_COLUMNS);
  const curvature = new Float64Array(MATRIX_COLUMNS * MATRIX_COLUMNS);
  for (let at = 0; at < targets.length; at += 1) {
    const row = rows.subarray(at * MATRIX_COLUMNS, (at + 1) * MATRIX_COLUMNS);
    const filled: number[] = [];
    let logit = 0;
    for (let column = 0; column < MATRIX_COLUMNS; column += 1) {
      if (row[column] === 0) continue;
      filled.push(column);
      logit += (row[column] ?? 0) * (weights[column] ?? 0);
    }
    const chance = logistic(logit);
    const worth = importance[at] ?? 0;
    const error = worth * (chance - (targets[at] ?? 0));
    const bend = worth * chance * (1 - chance);
    for (const column of filled) {
      slope[column] = (slope[column] ?? 0) + error * (row[column] ?? 0);
      for (const other of filled)
        curvature[column * MATRIX_COLUMNS + other] =
          (curvature[column * MATRIX_COLUMNS + other] ?? 0) + bend * (row[column] ?? 0) * (row[other] ?? 0);
    }
  }
  for (let column = 1; column < MATRIX_COLUMNS; column += 1) {
    slope[column] = (slope[column] ?? 0) + RIDGE_STRENGTH * ((weights[column] ?? 0) - (anchor[column] ?? 0));
    curvature[column * MATRIX_COLUMNS + column] = (curvature[column * MATRIX_COLUMNS + column] ?? 0) + RIDGE_STRENGTH;
  }
  return { slope, curvature };
}

/** Rounds of coordinate descent for the minimum of a parabola. */
const DESCENT_ROUNDS = 100;

/** The minimum, within the signs, of the parabola that touches the loss at the given weights. */
function lowestWithinSigns({ slope, curvature }: Slopes, weights: Float64Array): Float64Array {
  const next = Float64Array.from(weights);
  for (let round = 0; round < DESCENT_ROUNDS; round += 1) {
    for (let column = 0; column < MATRIX_COLUMNS; column += 1) {
      let pull = slope[column] ?? 0;
      for (let other = 0; other < MATRIX_COLUMNS; other += 1)
        pull += (curvature[column * MATRIX_COLUMNS + other] ?? 0) * ((next[other] ?? 0) - (weights[other] ?? 0));
      const bend = (curvature[column * MATRIX_COLUMNS + column] ?? 0) + 1e-9;
      next[column] = clampToSign((next[column] ?? 0) - pull / bend, column);
    }
  }
  return next;
}

function clampToSign(value: number, column: number): number {
  const name = SIGNAL_NAMES[column - 1];
  const sign = name === undefined ? 0 : SIGNALS[name];
  return sign === 0 ? value : sign > 0 ? Math.max(0, value) : Math.min(0, value);
}

/** Share of a Newton step that is taken: the full step is slightly too long where the loss is flat. */
const STEP_SHARE = 0.9;

const columnsOf = (fit: Fit | undefined): Float64Array =>
  Float64Array.from([fit?.bias ?? 0, ...SIGNAL_NAMES.map((name) => fit?.weights[name] ?? 0)]);

/**
 * @param steps number of Newton steps
 * @param from initial weights, so that a similar fit converges soon
 * @param earlier fit to values that are not among the examples: weights stay near its own where few examples decide
 */
export function fitWeights(examples: readonly Example[], steps: number, from?: Fit, earlier?: Fit): Fit {
  const matrix = matrixOf(examples);
  const anchor = columnsOf(earlier);
  let weights = columnsOf(from);
  for (let step = 0; step < steps; step += 1) {
    const target = lowestWithinSigns(slopesAt(matrix, weights, anchor), weights);
    weights = weights.map((value, column) => value + STEP_SHARE * ((target[column] ?? 0) - value));
  }
  const entries = SIGNAL_NAMES.map((name, column) => [name, weights[column + 1] ?? 0] as const);
  return { bias: weights[0] ?? 0, weights: Object.fromEntries(entries) as Signals };
}

export const predict = ({ bias, weights }: Fit, signals: Signals): number =>
  logistic(SIGNAL_NAMES.reduce((sum, name) => sum + (weights[name] ?? 0) * signals[name], bias));

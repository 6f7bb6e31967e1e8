/**
 * Logistic regression (J. Berkson, 1944) whose weights keep their signs: gradient steps, each put back to what the signs
 * allow, with Nesterov's momentum (2005). A ridge keeps weights small that few values decide.
 */
import { SIGNAL_NAMES, SIGNALS, type Signals } from "../../functions/core/extraction/confidence/signals.ts";

export interface Example {
  /** Its document. */
  group: string;
  source: "corpus" | "generated";
  signals: Signals;
  right: boolean;
}

export interface Fit {
  bias: number;
  weights: Signals;
}

/** Against each example's unit of weight; about one document's share. */
const RIDGE = 4;

interface Matrix {
  rows: Float64Array;
  targets: Float64Array;
  importance: Float64Array;
  total: number;
}

const WIDTH = SIGNAL_NAMES.length + 1;

/** Values of a long table count less each: a document is worth the root of its size. Real documents weigh as much as all others. */
function matrixOf(examples: readonly Example[]): Matrix {
  const sizes = new Map<string, number>();
  for (const { group } of examples) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const rows = new Float64Array(examples.length * WIDTH);
  const targets = new Float64Array(examples.length);
  const importance = new Float64Array(examples.length);
  const worth = { corpus: 0, generated: 0 };
  for (const { group, source } of examples) worth[source] += 1 / Math.sqrt(sizes.get(group) ?? 1);
  let total = 0;
  for (const [at, { group, source, signals, right }] of examples.entries()) {
    rows[at * WIDTH] = 1;
    for (const [column, name] of SIGNAL_NAMES.entries()) rows[at * WIDTH + column + 1] = signals[name];
    targets[at] = right ? 1 : 0;
    const weight = (examples.length / 2) * (1 / Math.sqrt(sizes.get(group) ?? 1) / worth[source]);
    importance[at] = weight;
    total += weight;
  }
  return { rows, targets, importance, total };
}

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit));

function gradient({ rows, targets, importance, total }: Matrix, weights: Float64Array): Float64Array {
  const slope = new Float64Array(WIDTH);
  for (let at = 0; at < targets.length; at += 1) {
    const from = at * WIDTH;
    let logit = 0;
    for (let column = 0; column < WIDTH; column += 1) logit += (rows[from + column] ?? 0) * (weights[column] ?? 0);
    const error = (importance[at] ?? 0) * (logistic(logit) - (targets[at] ?? 0));
    for (let column = 0; column < WIDTH; column += 1)
      slope[column] = (slope[column] ?? 0) + error * (rows[from + column] ?? 0);
  }
  return slope.map((value, column) => (value + (column === 0 ? 0 : RIDGE * (weights[column] ?? 0))) / total);
}

function allowed(value: number, column: number): number {
  const name = SIGNAL_NAMES[column - 1];
  const sign = name === undefined ? 0 : SIGNALS[name];
  return sign === 0 ? value : sign > 0 ? Math.max(0, value) : Math.min(0, value);
}

/** @param steps of the gradient @param from where to begin, so that a fit much like another is found soon */
export function fitWeights(examples: readonly Example[], steps: number, from?: Fit): Fit {
  const matrix = matrixOf(examples);
  let weights = Float64Array.from([from?.bias ?? 0, ...SIGNAL_NAMES.map((name) => from?.weights[name] ?? 0)]);
  let before = weights;
  // The curvature of the loss is at most a quarter of the largest row's squared length.
  const rate = 4 / (WIDTH / 3);
  for (let step = 1; step <= steps; step += 1) {
    const momentum = (step - 1) / (step + 2);
    const ahead = weights.map((value, column) => value + momentum * (value - (before[column] ?? 0)));
    const slope = gradient(matrix, ahead);
    before = weights;
    weights = ahead.map((value, column) => allowed(value - rate * (slope[column] ?? 0), column));
  }
  const entries = SIGNAL_NAMES.map((name, column) => [name, weights[column + 1] ?? 0] as const);
  return { bias: weights[0] ?? 0, weights: Object.fromEntries(entries) as Signals };
}

export const predict = ({ bias, weights }: Fit, signals: Signals): number =>
  logistic(SIGNAL_NAMES.reduce((sum, name) => sum + weights[name] * signals[name], bias));

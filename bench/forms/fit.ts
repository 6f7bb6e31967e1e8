/** Fits the weights of signs and the threshold of confidence. */
import { probability } from "../../functions/engine/forms/detect/confidence.ts";
import type { Signs } from "../../functions/engine/forms/detect/place-signs.ts";

export interface Example {
  signs: Signs;
  /** The confidence that the weights should give it, 0 to 1. */
  target: number;
  /** Forms count alike, whatever their size. */
  weight: number;
}

/** Rounds of gradient descent, its step, and the pull of all weights towards zero. */
const ROUNDS = 300;
const STEP = 0.5;
const PULL = 0.004;
const DECIMALS = 100;

/** Logistic regression on scaled signs by gradient descent with Nesterov's momentum. */
export function fitWeights(examples: readonly Example[]): Record<string, number> {
  const names = ["bias", ...new Set(examples.flatMap(({ signs }) => Object.keys(signs)))];
  const place = new Map(names.map((name, index) => [name, index]));
  const scale = new Float64Array(names.length).fill(1);
  for (const name of names.slice(1)) {
    const squares = examples.reduce((sum, { signs }) => sum + (signs[name] ?? 0) ** 2, 0) / examples.length;
    scale[place.get(name) ?? 0] = Math.max(Math.sqrt(squares), 0.05);
  }
  const rows = examples.map(({ signs, target, weight }) => ({
    target,
    weight,
    at: Int32Array.from([0, ...Object.keys(signs).map((name) => place.get(name) ?? 0)]),
    value: Float64Array.from([
      1,
      ...Object.entries(signs).map(([name, value]) => value / (scale[place.get(name) ?? 0] ?? 1)),
    ]),
  }));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(names.length);
  const ahead = new Float64Array(names.length);
  const before = new Float64Array(names.length);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const slope = new Float64Array(names.length);
    for (const { target, weight, at, value } of rows) {
      let sum = 0;
      for (let i = 0; i < at.length; i += 1) sum += (ahead[at[i] ?? 0] ?? 0) * (value[i] ?? 0);
      const error = (weight * (1 / (1 + Math.exp(-sum)) - target)) / total;
      for (let i = 0; i < at.length; i += 1) slope[at[i] ?? 0] = (slope[at[i] ?? 0] ?? 0) + error * (value[i] ?? 0);
    }
    const momentum = (round - 1) / (round + 2);
    for (let i = 0; i < names.length; i += 1) {
      before[i] = weights[i] ?? 0;
      weights[i] = (ahead[i] ?? 0) - STEP * ((slope[i] ?? 0) + (i === 0 ? 0 : PULL * (ahead[i] ?? 0)));
      ahead[i] = (weights[i] ?? 0) + momentum * ((weights[i] ?? 0) - (before[i] ?? 0));
    }
  }
  return Object.fromEntries(
    names.map((name, index): [string, number] => [
      name,
      Math.round(((weights[index] ?? 0) / (scale[index] ?? 1)) * DECIMALS) / DECIMALS,
    ]),
  );
}

export const scoreSigns = probability;

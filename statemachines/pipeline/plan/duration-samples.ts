/**
 * Sampled durations: nodes rarely take exactly the expected time, and a plan must also be good when they do not. Each
 * sampled run has its own factor for each node, the same at every compilation.
 */

/** The first sample is the expected case. */
const SAMPLED_RUNS = 5;
/**
 * Standard deviation of the logarithm: two thirds of the nodes take between 0.6 and 1.6 times the expected duration.
 */
const LOG_DURATION_DEVIATION = 0.5;

/** A value for each sampled run. */
export function sampleRuns(of: (run: number) => number): number[] {
  const values: number[] = [];
  for (let run = 0; run < SAMPLED_RUNS; run += 1) values.push(of(run));
  return values;
}

/**
 * Mixes whole numbers into one from 0 to below 1. Source: the finalizer of MurmurHash3, Austin Appleby, public domain.
 */
function hashToFraction(node: number, run: number): number {
  let bits = (node * 0x9e3779b1 + run * 0x85ebca6b) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** The factor by which a node takes longer than expected in a sampled run. */
export function durationFactor(node: number, run: number): number {
  if (run === 0) return 1;
  // The sum of twelve is nearly normal; runs come in pairs of opposite sign, so that few samples are balanced.
  const half = Math.ceil(run / 2);
  let drawn = 0;
  for (let draw = 0; draw < 12; draw += 1) drawn += hashToFraction(node * 12 + draw, half);
  const sum = drawn - 6;
  return Math.exp(LOG_DURATION_DEVIATION * (run % 2 === 0 ? -sum : sum));
}

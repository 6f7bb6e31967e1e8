/**
 * Weights of the signals, as logits, written by `npm run bench -- confidence --fit`: a logistic regression over 39305
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 7221 of them wrong: planted into
 * a model's answer, given for what is not stated, or mistaken by the offline extractor. Each weight keeps its signal's
 * sign.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.2;

export const WEIGHTS: Signals = {
  unlocated: -4.66,
  unsure: -4.36,
  mismatch: -6.1,
  doubt: -0.74,
  unlettered: -2.8,
  short: -0.31,
  cut: -3.74,
  rows: -2.52,
  prose: -0.5,
  contested: -0.35,
  nameless: -2.74,
  figureNameless: -2.03,
  borrowed: -2.85,
  rival: -2.97,
  other: -0.95,
  offRow: -3.3,
  offColumn: -2.09,
  shared: -0.9,
  checksumHolds: 1.64,
  checksumFails: -0.04,
  sumHolds: 4.01,
  sumFails: -1.91,
  orderHolds: 1.58,
  orderFails: -0.65,
  formFails: -0.54,
  schemaFails: -0.4,
  columnFails: -2.75,
  agrees: 2.01,
  differs: -2.1,
  silent: -0.46,
  cell: 1.31,
};

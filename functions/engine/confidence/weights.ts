/**
 * Weights of the signals, as logits: a logistic regression over 28882 values of 168 documents (real invoices and other
 * documents, blank forms, a real table, generated ones, some recognised), 6977 of them wrong: planted into a model's
 * answer, given for what is not stated, or mistaken by the offline extractor. Fitted by the functions of
 * `npm run bench -- confidence --fit`, from fewer simulated answers and without generated scans. Each weight keeps its
 * signal's sign.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 2.99;

export const WEIGHTS: Signals = {
  unlocated: -5,
  unsure: -4.36,
  mismatch: -4.41,
  doubt: 0,
  unlettered: -2.58,
  short: -1.01,
  cut: -1.89,
  rows: -3.75,
  prose: -2.63,
  contested: 0,
  nameless: -3.13,
  figureNameless: -1.13,
  borrowed: -3.38,
  rival: -1.43,
  other: -0.46,
  offRow: -3.81,
  offColumn: -0.6,
  shared: -1.84,
  checksumHolds: 1.81,
  checksumFails: -1.46,
  sumHolds: 3.25,
  sumFails: -1.01,
  orderHolds: 1.42,
  orderFails: -0.71,
  formFails: -2.52,
  schemaFails: -0.42,
  columnFails: -2.62,
  agrees: 2.34,
  differs: -1.96,
  silent: -1.39,
  cell: 1.83,
};

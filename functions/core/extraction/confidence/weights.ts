/**
 * Weights of the evidence, as logits: `npm run bench -- confidence --fit` wrote them, by logistic regression over 33375
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 3394 of them wrong: planted into
 * what a model would answer, or mistaken by the offline extractor. A weight keeps the sign that its evidence has; one of
 * 0 is evidence that these values had too little of, or that others say as well.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.8;

export const WEIGHTS: Signals = {
  unlocated: -4.32,
  unsure: -3.03,
  mismatch: -6.41,
  doubt: -1,
  repeated: 0,
  short: 0,
  cut: -2.57,
  rows: -2.41,
  contested: -0.68,
  label: 0,
  unlabelled: -0.71,
  rival: -3.81,
  other: -0.41,
  offRow: -2.6,
  offColumn: -2.01,
  shared: -1.58,
  checksumHolds: 1.69,
  checksumFails: -0.46,
  sumHolds: 4.25,
  sumFails: -1.24,
  orderHolds: 0.23,
  orderFails: -0.72,
  formFails: -0.67,
  schemaFails: -0.58,
  columnFails: -2.42,
  agrees: 1.52,
  differs: -2.45,
  silent: 0,
  cell: -0.17,
};

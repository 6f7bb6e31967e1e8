/**
 * Weights of the evidence, as logits: `npm run bench -- confidence --fit` wrote them, by logistic regression over 31251
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 3435 of them wrong: planted into
 * what a model would answer, or mistaken by the offline extractor. A weight keeps the sign that its evidence has; one of
 * 0 is evidence that these values had too little of, or that others say as well.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.87;

export const WEIGHTS: Signals = {
  unlocated: -4.35,
  unsure: -3.92,
  mismatch: -6.79,
  doubt: -0.21,
  repeated: 0,
  short: 0,
  cut: -2.67,
  rows: 0,
  contested: 0,
  label: 0,
  unlabelled: -0.35,
  rival: -4.03,
  other: -0.54,
  offRow: -2.23,
  offColumn: -2.79,
  shared: -1.37,
  checksumHolds: 1.44,
  checksumFails: -0.61,
  sumHolds: 4.6,
  sumFails: -1.24,
  orderHolds: 0.11,
  orderFails: -0.83,
  formFails: -0.59,
  schemaFails: -0.77,
  columnFails: -2.5,
  agrees: 1.53,
  differs: -1.77,
  silent: 0,
  cell: -0.49,
};

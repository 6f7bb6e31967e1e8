/**
 * Weights of the evidence, as logits: `npm run bench -- confidence --fit` wrote them, by logistic regression over 33028
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 3390 of them wrong: planted into
 * what a model would answer, or mistaken by the offline extractor. A weight keeps the sign that its evidence has; one of
 * 0 is evidence that these values had too little of, or that others say as well.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.88;

export const WEIGHTS: Signals = {
  unlocated: -4.39,
  unsure: -3.21,
  mismatch: -6.53,
  doubt: -0.83,
  repeated: 0,
  short: 0,
  cut: -2.71,
  rows: -2.68,
  contested: -0.71,
  label: 0,
  unlabelled: -0.62,
  rival: -3.61,
  other: -0.66,
  offRow: -2.37,
  offColumn: -2.03,
  shared: -1.7,
  checksumHolds: 1.64,
  checksumFails: -0.51,
  sumHolds: 4.3,
  sumFails: -1.3,
  orderHolds: 0.14,
  orderFails: -0.75,
  formFails: -1.27,
  schemaFails: -0.56,
  columnFails: -2.44,
  agrees: 1.6,
  differs: -2.26,
  silent: 0,
  cell: -0.2,
};

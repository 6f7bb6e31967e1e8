/**
 * Weights of the evidence, as logits: `npm run bench -- confidence --fit` wrote them, by logistic regression over 38885
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 7178 of them wrong: planted into
 * what a model would answer, given for what is not stated, or mistaken by the offline extractor. A weight keeps the sign that its evidence has; one of
 * 0 is evidence that these values had too little of, or that others say as well.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.14;

export const WEIGHTS: Signals = {
  unlocated: -4.78,
  unsure: -3.77,
  mismatch: -6.15,
  doubt: -1.27,
  repeated: 0,
  short: -0.38,
  cut: -3.03,
  rows: -2.6,
  contested: -0.39,
  label: 0,
  unlabelled: 0,
  nameless: -2.86,
  figureNameless: -2.06,
  borrowed: -1.95,
  rival: -3.09,
  other: -1.24,
  offRow: -3.23,
  offColumn: -2.13,
  shared: -1.29,
  checksumHolds: 1.79,
  checksumFails: 0,
  sumHolds: 4.18,
  sumFails: -1.43,
  orderHolds: 1.75,
  orderFails: -0.62,
  formFails: -0.44,
  schemaFails: -0.41,
  columnFails: -2.77,
  agrees: 2.17,
  differs: -2.38,
  silent: -0.4,
  cell: 1.39,
};

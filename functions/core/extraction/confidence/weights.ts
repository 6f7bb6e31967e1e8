/**
 * Weights of the evidence, as logits: `npm run bench -- confidence --fit` wrote them, by logistic regression over 39024
 * values of 68 documents (real invoices, a real table, generated ones, some as scans), 7211 of them wrong: planted into
 * what a model would answer, given for what is not stated, or mistaken by the offline extractor. A weight keeps the sign that its evidence has; one of
 * 0 is evidence that these values had too little of, or that others say as well.
 */
import type { Signals } from "./signals.ts";

export const BIAS = 3.12;

export const WEIGHTS: Signals = {
  unlocated: -4.78,
  unsure: -4.09,
  mismatch: -6.08,
  doubt: -0.91,
  unlettered: -1.84,
  repeated: 0,
  short: -0.32,
  cut: -3.37,
  rows: -2.53,
  contested: -0.32,
  label: 0,
  unlabelled: 0,
  nameless: -2.76,
  figureNameless: -2.01,
  borrowed: -2.78,
  rival: -2.82,
  other: -0.84,
  offRow: -3.35,
  offColumn: -1.96,
  shared: -1.07,
  checksumHolds: 1.58,
  checksumFails: 0,
  sumHolds: 4.1,
  sumFails: -1.46,
  orderHolds: 1.62,
  orderFails: -0.62,
  formFails: -0.41,
  schemaFails: -0.4,
  columnFails: -2.77,
  agrees: 1.97,
  differs: -2.25,
  silent: -0.41,
  cell: 1.37,
};

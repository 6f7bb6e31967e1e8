/**
 * Weights of the signals, as logits, written by `npm run bench -- confidence --fit`: logistic regressions over real and
 * generated documents, some of them recognised. Values of models: 40093 values of 200 documents, 10813 of them wrong, planted
 * into a simulated answer or given for what is not stated. Values of our own rules: 9689 values of 220 documents, 548 of them wrong.
 * Each weight keeps its signal's sign.
 */
import type { Signals } from "./signals.ts";

/** Who read a value: their errors differ, so their evidence weighs differently. */
export type ReadBy = "model" | "rules";

export const WEIGHTS: Record<ReadBy, { bias: number; weights: Signals }> = {
  model: {
    bias: 2.71,
    weights: {
      unlocated: -3.85,
      unsure: -2.83,
      mismatch: -4.55,
      doubt: 0,
      unlettered: -1.96,
      short: -0.77,
      cut: -3.97,
      rows: 0,
      prose: -2.24,
      contested: 0,
      nameless: -2.06,
      figureNameless: -1.4,
      borrowed: -3.69,
      rival: -1.54,
      other: -0.69,
      offRow: -3.8,
      offColumn: -2.33,
      shared: -0.63,
      checksumHolds: 1.41,
      checksumFails: -2.58,
      sumHolds: 2.93,
      sumFails: -1.58,
      orderHolds: 0.98,
      orderFails: -1.04,
      formFails: -2.9,
      schemaFails: -0.26,
      columnFails: -2.36,
      agrees: 2.45,
      differs: -1.49,
      silent: -0.44,
      cell: 1.11,
      textCell: 0,
    },
  },
  rules: {
    bias: 3.19,
    weights: {
      unlocated: 0,
      unsure: -3.7,
      mismatch: -1.97,
      doubt: -1.49,
      unlettered: -1.05,
      short: -1.45,
      cut: -2.08,
      rows: -1.73,
      prose: -0.2,
      contested: -0.55,
      nameless: -1.82,
      figureNameless: 0,
      borrowed: -0.01,
      rival: 0,
      other: -1.6,
      offRow: -0.25,
      offColumn: -0.23,
      shared: 0,
      checksumHolds: 1.08,
      checksumFails: -0.09,
      sumHolds: 2.03,
      sumFails: -0.74,
      orderHolds: 1.52,
      orderFails: 0,
      formFails: -0.07,
      schemaFails: 0,
      columnFails: 0,
      agrees: 0,
      differs: 0,
      silent: 0,
      cell: 0.56,
      textCell: -0.25,
    },
  },
};

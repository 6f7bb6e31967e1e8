/**
 * Weights of the signals, as logits, written by `npm run bench -- confidence --fit`: logistic regressions over real and
 * generated documents, some of them recognised. Errors of models are planted into simulated answers, or given for what is
 * not stated; errors of our own rules are today's, and those of the first sights. Each weight keeps its signal's sign; a
 * signal without a weight tells nothing about that reader's values.
 */
import type { Signals } from "./signals.ts";

/** Who read a value: their errors differ, so their evidence weighs differently. */
export type ReadBy = "model" | "rules";

export const WEIGHTS: Record<ReadBy, { bias: number; weights: Partial<Signals> }> = {
  /** 40093 values of 200 documents, 10813 of them wrong. */
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
    },
  },
  /** 13550 values of 392 documents, 1209 of them wrong. Then changed by 2359 values of 185 documents, 395 of them wrong. Then changed by 9729 values of 433 documents, 881 of them wrong. */
  rules: {
    bias: 4.01,
    weights: {
      unsure: -3.81,
      mismatch: -1.81,
      doubt: -1.85,
      blurred: -1.87,
      unlettered: -0.95,
      short: -0.84,
      cut: -2.29,
      rows: -2.49,
      wordy: -1.43,
      capitals: -0.77,
      prose: -0.23,
      unknown: -2.25,
      name: -1.84,
      nameless: -2.32,
      figureNameless: -0.1,
      borrowed: -1.55,
      other: -0.17,
      offRow: -0.16,
      offColumn: -0.94,
      oddLength: -1.32,
      oddSign: -0.64,
      listHolds: 0.86,
      mixed: -0.78,
      checksumHolds: 0.55,
      checksumFails: -0.09,
      sumHolds: 2.75,
      sumFails: -1.12,
      orderHolds: 1.37,
      formFails: -1.78,
      columnFails: -0.61,
      cell: -0.92,
      entry: -1.22,
    },
  },
};

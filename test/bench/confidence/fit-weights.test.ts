import { describe, expect, it } from "vitest";
import { type Example, fitWeights, predict } from "../../../bench/confidence/fit-weights.ts";
import { SIGNAL_NAMES, type Signals } from "../../../functions/engine/confidence/signals.ts";

const STEPS = 20;
const NONE = Object.fromEntries(SIGNAL_NAMES.map((name) => [name, 0])) as Signals;

const DOCUMENTS = 50;

/** Values over some documents, the first ones right. */
const examplesOf = (signals: Partial<Signals>, count: number, right: number): Example[] =>
  Array.from({ length: count }, (_, at) => ({
    group: `${JSON.stringify(signals)} ${at % DOCUMENTS}`,
    source: "corpus",
    signals: { ...NONE, ...signals },
    right: at < right,
  }));

describe("fitWeights", () => {
  const examples = [...examplesOf({}, 200, 180), ...examplesOf({ cell: 1 }, 200, 100)];
  const earlier = { bias: 2, weights: { cell: 1, doubt: -3 } };

  it("learns how often values with a signal are right", () => {
    const fit = fitWeights(examples, STEPS);
    expect(predict(fit, { ...NONE, cell: 1 })).toBeLessThan(predict(fit, NONE) - 0.2);
    expect(fit.weights.doubt).toBe(0);
  });

  it("keeps the earlier weight of a signal that no example has, and changes one that many contradict", () => {
    const fit = fitWeights(examples, STEPS, undefined, earlier);
    expect(fit.weights.doubt).toBeCloseTo(-3, 1);
    expect(fit.weights.cell).toBeLessThan(-1);
  });

  it("stays near an earlier fit that few examples contradict", () => {
    const few = [...examplesOf({}, 2, 2), ...examplesOf({ doubt: 1 }, 1, 1)];
    const { doubt = 0 } = fitWeights(few, STEPS, undefined, earlier).weights;
    expect(doubt).toBeLessThan(-2);
  });

  it("keeps the sign of a signal", () => {
    const praised = [...examplesOf({}, 100, 50), ...examplesOf({ doubt: 1 }, 100, 100)];
    expect(fitWeights(praised, STEPS).weights.doubt).toBe(0);
  });
});

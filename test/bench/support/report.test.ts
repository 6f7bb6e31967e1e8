import { expect, it } from "vitest";
import { reportLines } from "../../../bench/support/report.ts";

it("a report says the load, and INCONCLUSIVE for each measure whose own interval is wide", () => {
  const wall = { median: 40, low: 30, high: 50, rounds: 8 };
  const cpu = { median: 20, low: 20, high: 21, rounds: 8 };
  const repeated = { spreads: { wall, cpu }, isNarrow: true, load: 3.5, processors: 2 };
  expect(
    reportLines(repeated, [
      { measure: "wall", label: "wall time", unit: "ms" },
      { measure: "cpu", label: "processor time", unit: "ms", digits: 1 },
    ]),
  ).toEqual([
    "load 3.5 on 2 processors: others disturb the times",
    `  ${"wall time".padEnd(48)}INCONCLUSIVE (30 to 50, 8 rounds) ms`,
    `  ${"processor time".padEnd(48)}20.0 (20.0 to 21.0, 8 rounds) ms`,
  ]);
});

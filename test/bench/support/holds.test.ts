import { afterEach, expect, it, vi } from "vitest";
import { atLeast, judged, noneFound, requireAll } from "../../../bench/support/holds.ts";

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

it("requireAll names the requirements that fail, and exits with code 1 only for them", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  requireAll([atLeast("recall", 0.9, 0.85), noneFound("extra rows", 0)]);
  expect(process.exitCode).toBeUndefined();
  requireAll([atLeast("recall", 0.84, 0.85), noneFound("extra rows", 2), atLeast("boxes", Number.NaN, 0.95)]);
  expect(process.exitCode).toBe(1);
  const told = log.mock.calls.map(([line]) => line).filter((line) => line.includes("FAILED"));
  expect(told).toEqual([
    "  FAILED  recall: 0.85 at least (0.840)",
    "  FAILED  extra rows (2)",
    "  FAILED  boxes: 0.95 at least (NaN)",
  ]);
});

it("judged leaves open what the interval or too few rounds cannot tell, and requireAll fails for none of it", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const spread = { median: 40, low: 38, high: 42, rounds: 8 };
  requireAll([
    judged("median", spread, { most: 45 }, { unit: " ms", digits: 0 }),
    judged("median", spread, { most: 41 }),
    judged("median", { ...spread, rounds: 2 }, { most: 10 }),
  ]);
  expect(process.exitCode).toBeUndefined();
  requireAll([judged("rate", spread, { least: 50 })]);
  expect(process.exitCode).toBe(1);
  expect(log.mock.calls.map(([line]) => line).filter((line) => !line.includes("must hold"))).toEqual([
    "  holds   median: 45 ms at most (40 (38 to 42, 8 rounds))",
    "  open    median: 41 at most (INCONCLUSIVE (38.00 to 42.00, 8 rounds))",
    "  open    median: 10 at most (INCONCLUSIVE (38.00 to 42.00, 2 rounds))",
    "  FAILED  rate: 50 at least (40.00 (38.00 to 42.00, 8 rounds))",
  ]);
});

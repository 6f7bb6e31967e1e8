import { afterEach, expect, it, vi } from "vitest";
import { atLeast, noneFound, requireAll } from "../../../bench/support/holds.ts";

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

/** After each test file against the emulator: no function was denied a right, or met a defect. */
import { afterAll, expect } from "vitest";
import { defectsIn, denialsIn } from "../support/ministack.ts";

afterAll(() => {
  const log = process.env.SHEAF_E2E_EMULATOR_LOG ?? "";
  expect(denialsIn(log), "refused for want of a right").toEqual([]);
  expect(defectsIn(log), "functions that failed").toEqual([]);
});

/** After each file of tests against the emulator: no function has asked for what it has no right to. */
import { afterAll, expect } from "vitest";
import { denialsIn } from "../support/ministack.ts";

afterAll(() => {
  expect(denialsIn(process.env.SHEAF_E2E_EMULATOR_LOG ?? ""), "refused for want of a right").toEqual([]);
});

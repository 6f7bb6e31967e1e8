import { expect, test } from "vitest";
import { quantile } from "../../../bench/support/spread.ts";

test("quantile takes a measured value, the least one that so many values do not exceed", () => {
  const values = [40, 10, 30, 20];
  expect([0, 0.25, 0.5, 0.95, 1].map((share) => quantile(values, share))).toEqual([10, 10, 20, 40, 40]);
  expect(quantile([], 0.5)).toBeNaN();
});

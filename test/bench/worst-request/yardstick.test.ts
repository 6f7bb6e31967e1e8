/** The judgement of growth in the bench of the worst request. */
import { describe, expect, it } from "vitest";
import { growsTooFast, powerOf, yardstickPower } from "../../../bench/worst-request/growth.ts";

const SIZES = { small: 250_000, large: 1_000_000 };
const grown = (smallMs: number, largeMs: number) =>
  powerOf({ bytes: SIZES.small, cpuMs: smallMs }, { bytes: SIZES.large, cpuMs: largeMs }) ?? 0;

describe("growth of a request's processor time", () => {
  it("passes n log n, without a look at the yardstick", () => {
    const untouched = () => {
      throw new Error("The yardstick is measured for nothing");
    };
    expect(growsTooFast(grown(100, 450), untouched)).toBe(false);
  });

  it("passes more where bare JSON grows so too, and fails the square all the same", () => {
    expect(growsTooFast(grown(60, 480), () => 1.5)).toBe(false);
    expect(growsTooFast(grown(60, 480), () => 1.1)).toBe(true);
    expect(growsTooFast(grown(60, 960), () => 1.5)).toBe(true);
  });

  it("gives a form, which has no yardstick, n log n only", () => {
    expect(yardstickPower("--form", "--form--form")).toBeUndefined();
    expect(growsTooFast(grown(60, 480), () => undefined)).toBe(true);
  });

  it("tells no power between sizes that are near", () => {
    expect(powerOf({ bytes: 5, cpuMs: 100 }, { bytes: 9, cpuMs: 900 })).toBeUndefined();
  });
});

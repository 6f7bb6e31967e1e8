/** The contract of Clock. */
import { describe, expect, it } from "vitest";
import type { Clock } from "../../functions/ports/clock.ts";

/** Runs the contract on a clock of real time. */
export function clockSuite(name: string, make: () => Clock): void {
  describe(`Clock: ${name}`, () => {
    it("Clock.now gives milliseconds since 1970", () => {
      expect(Math.abs(make().now() - Date.now())).toBeLessThan(1000);
      expect(Math.abs(make().wallTime() - Date.now())).toBeLessThan(1000);
    });

    it("Clock.guid gives GUIDs of version 7 in lower case, which contain their time", () => {
      const clock = make();
      const before = clock.now();
      const guid = clock.guid();
      expect(guid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      const time = Number.parseInt(guid.replace("-", "").slice(0, 12), 16);
      expect(time).toBeGreaterThanOrEqual(Math.floor(before));
      expect(time).toBeLessThanOrEqual(clock.now() + 1);
    });

    it("Clock.guid gives 10,000 distinct GUIDs in order", () => {
      const clock = make();
      const guids = Array.from({ length: 10_000 }, () => clock.guid());
      expect(new Set(guids).size).toBe(10_000);
      expect(guids).toEqual([...guids].sort());
    });

    it("Clock.guid gives GUIDs that cannot be guessed from the one before", () => {
      const clock = make();
      const tails = Array.from({ length: 1000 }, () => clock.guid().slice(19));
      expect(new Set(tails).size).toBe(1000);
      const bits = tails.map((tail) => Number.parseInt(tail.slice(-1), 16).toString(2).replaceAll("0", "").length);
      const mean = bits.reduce((sum, count) => sum + count, 0) / bits.length;
      expect(mean).toBeGreaterThan(1.8);
      expect(mean).toBeLessThan(2.2);
    });

    it("Clock.sleep sleeps, and not at all for 0", async () => {
      const clock = make();
      const started = performance.now();
      await clock.sleep(50);
      expect(performance.now() - started).toBeGreaterThanOrEqual(48);
      await Promise.all([clock.sleep(0), clock.sleep(-5)]);
      expect(performance.now() - started).toBeLessThan(1000);
    });
  });
}

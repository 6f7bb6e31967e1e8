import { expect, it, vi } from "vitest";
import { guidMaker, sharedClock, systemClock } from "../../functions/adapters/local/clock.ts";
import { manualClock } from "../support/clock.ts";
import { clockSuite } from "./clock.suite.ts";

clockSuite("one machine", systemClock);
clockSuite("one of many processes", sharedClock);

it.each([3_600_000, -3_600_000])("systemClock goes on when the system's time jumps by %i ms", async (jump) => {
  const clock = systemClock();
  const realNow = Date.now;
  const before = clock.now();
  const guid = clock.guid();
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + jump);
  expect(clock.now() - before).toBeGreaterThanOrEqual(0);
  expect(clock.now() - before).toBeLessThan(1_000);
  expect(clock.guid() > guid).toBe(true);
  expect(Math.abs(clock.wallTime() - before - jump)).toBeLessThan(1_000);
  const times = Array.from({ length: 1_000 }, () => clock.now());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.every(Number.isInteger)).toBe(true);
});

it("systemClock keeps GUIDs in order within one millisecond, and when the time is set back", () => {
  let time = Date.UTC(2026, 5, 1);
  const guid = guidMaker(() => time);
  const guids = Array.from({ length: 20_000 }, () => guid());
  time -= 3_600_000;
  guids.push(guid());
  time += 7_200_000;
  guids.push(guid());
  expect(new Set(guids).size).toBe(guids.length);
  expect(guids).toEqual([...guids].sort());
});

it("the manual clock moves only by hand, and wakes sleepers in the order of their times", async () => {
  const clock = manualClock(1000);
  const woken: string[] = [];
  const sleepers = [
    clock.sleep(20).then(() => woken.push("late")),
    clock.sleep(10).then(() => woken.push("early")),
    clock.sleep(100).then(() => woken.push("never")),
  ];
  clock.advance(9);
  await Promise.resolve();
  expect(woken).toEqual([]);
  clock.advance(50);
  await Promise.all(sleepers.slice(0, 2));
  expect(woken).toEqual(["early", "late"]);
  expect(clock.now()).toBe(1059);
});

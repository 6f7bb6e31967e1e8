import { expect, test } from "vitest";
import { bestOf, compareTimes, speed } from "../../../bench/text/times.ts";

const use = (wall: number, cpu = wall): { wall: number; cpu: number } => ({ wall, cpu });

test("times: takes the best round for wall time and for processor time separately", () => {
  expect(bestOf(undefined, use(5, 7))).toEqual(use(5, 7));
  expect(bestOf(use(5, 7), use(6, 4))).toEqual(use(5, 4));
});

test("times: subtracts the start of a yardstick from each of its documents, and names the worst document", () => {
  const [ours, theirs] = [
    [use(10), use(20), use(100)],
    [use(30, 20), use(20, 15), use(50, 40)],
  ];
  const whole = compareTimes(ours, theirs);
  expect(whole).toMatchObject({ wall: 100 / 130, cpu: 75 / 130, median: 0.75, worst: 0.4, worstAt: 2 });
  const bare = compareTimes(ours, theirs, use(10, 5));
  expect(bare).toMatchObject({ wall: 70 / 130, cpu: 60 / 130, median: 0.5, worst: 0.35, worstAt: 2 });
});

test("times: gives the speed as pages per second over all documents", () => {
  expect(speed(6, [use(1000, 500), use(2000, 1500)], "wall")).toBe(2);
  expect(speed(6, [use(1000, 500), use(2000, 1500)], "cpu")).toBe(3);
});

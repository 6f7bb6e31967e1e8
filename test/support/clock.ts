/** A clock that a test moves by hand. */
import { guidMaker } from "../../functions/adapters/local/clock.ts";
import type { Clock } from "../../functions/ports/clock.ts";

export interface ManualClock extends Clock {
  /** Advances the time and wakes sleepers in the order of their times. */
  advance(milliseconds: number): void;
}

export function manualClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): ManualClock {
  let time = start;
  let sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => time,
    wallTime: () => time,
    guid: guidMaker(() => time),
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        if (milliseconds <= 0) resolve();
        else sleepers.push({ until: time + milliseconds, wake: resolve });
      }),
    advance(milliseconds) {
      time += milliseconds;
      const due = sleepers.filter((sleeper) => sleeper.until <= time).sort((a, b) => a.until - b.until);
      sleepers = sleepers.filter((sleeper) => sleeper.until > time);
      for (const sleeper of due) sleeper.wake();
    },
  };
}

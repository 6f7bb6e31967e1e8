/** A clock without waiting: a sleeper advances the time and wakes at once. */
import { guidMaker } from "../../functions/adapters/local/clock.ts";
import type { Clock } from "../../functions/ports/clock.ts";

export interface EagerClock extends Clock {
  /** Milliseconds of every sleep, in order. */
  readonly waits: number[];
  advance(milliseconds: number): void;
}

export function eagerClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): EagerClock {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    wallTime: () => time,
    guid: guidMaker(() => time),
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      time += Math.max(milliseconds, 0);
    },
    advance(milliseconds) {
      time += milliseconds;
    },
  };
}

/** Slots in the memory of the only process. */
import type { Clock } from "../../ports/clock.ts";
import type { Slot, Slots } from "../../ports/slots.ts";

/** @param clock of the slots' ends */
export function memorySlots(clock: Pick<Clock, "now">): Slots {
  /** Ends of the taken slots, in milliseconds since 1970, by name. */
  const taken = new Map<string, Set<{ until: number }>>();
  return {
    async take(name, { most, seconds }): Promise<Slot | undefined> {
      const now = clock.now();
      const holders = taken.get(name) ?? new Set();
      for (const holder of holders) if (holder.until <= now) holders.delete(holder);
      if (holders.size >= most) return undefined;
      taken.set(name, holders);
      const holder = { until: now + seconds * 1000 };
      holders.add(holder);
      let held = true;
      return {
        async release(pauseMs = 0) {
          if (!held) return;
          held = false;
          holder.until = clock.now() + pauseMs;
          if (pauseMs <= 0) holders.delete(holder);
          if (holders.size === 0 && taken.get(name) === holders) taken.delete(name);
        },
      };
    },
  };
}

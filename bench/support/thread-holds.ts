/** For how long this thread serves nobody because it computes. */

const BEAT_MS = 1;

/** In milliseconds. */
export interface Hold {
  /** Longest computation between two turns of the event loop: processor time, which other programs disturb little. */
  computed: number;
  /** Longest time between two turns by the clock, other programs of the machine included. */
  elapsed: number;
}

export interface HoldWatch {
  /** The longest hold since the last reading. */
  read(): Hold;
  stop(): void;
}

const now = (): Hold => {
  const { user, system } = process.threadCpuUsage();
  return { computed: (user + system) / 1000, elapsed: performance.now() };
};

/** Watches this thread until it is stopped. */
export function watchHolds(): HoldWatch {
  let last = now();
  let longest: Hold = { computed: 0, elapsed: 0 };
  const beat = (): void => {
    const at = now();
    longest = {
      computed: Math.max(longest.computed, at.computed - last.computed),
      elapsed: Math.max(longest.elapsed, at.elapsed - last.elapsed),
    };
    last = at;
  };
  const timer = setInterval(beat, BEAT_MS);
  return {
    read() {
      beat();
      const held = longest;
      longest = { computed: 0, elapsed: 0 };
      return held;
    },
    stop: () => clearInterval(timer),
  };
}

/** The system clock and GUID generator. */
import { randomFillSync } from "node:crypto";
import { setTimeout as sleepFor } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";

/** The 12 bits after the version hold a counter; it starts in its lower half, so that every millisecond has room. */
const COUNTER_END = 0x1000;
const COUNTER_START_MASK = 0x7ff;

/** Random bytes of a GUID, and GUIDs for which they are drawn at once: a draw costs more than all else of a GUID. */
const RANDOM_BYTES = 10;
const GUIDS_PER_DRAW = 128;

/** Returns a source of random bytes, each given once. */
function randomSource(): () => Uint8Array {
  const drawn = new Uint8Array(RANDOM_BYTES * GUIDS_PER_DRAW);
  let next = drawn.length;
  return () => {
    if (next === drawn.length) {
      randomFillSync(drawn);
      next = 0;
    }
    next += RANDOM_BYTES;
    return drawn.subarray(next - RANDOM_BYTES, next);
  };
}

/**
 * Returns a generator of version 7 GUIDs (RFC 9562, section 5.7; monotonic by its method 1, a counter in `rand_a`).
 * Each
 * GUID is greater than all earlier ones of the generator, also within one millisecond and when the clock is set back.
 */
export function guidMaker(now: () => number): () => string {
  const draw = randomSource();
  let milliseconds = -1;
  let counter = 0;
  return () => {
    const random = draw();
    const time = Math.floor(now());
    counter += 1;
    // A counter that overflows borrows the next millisecond, as the RFC allows.
    if (time > milliseconds || counter >= COUNTER_END) {
      milliseconds = Math.max(time, milliseconds + 1);
      counter = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & COUNTER_START_MASK;
    }
    const stamp = milliseconds.toString(16).padStart(12, "0");
    const tail = Buffer.from(random.buffer, random.byteOffset, 8).toString("hex");
    const variant = (8 + (((random[0] ?? 0) >> 4) & 3)).toString(16);
    return [
      stamp.slice(0, 8),
      stamp.slice(8),
      `7${counter.toString(16).padStart(3, "0")}`,
      `${variant}${tail.slice(1, 4)}`,
      tail.slice(4),
    ].join("-");
  };
}

const sleep = async (milliseconds: number): Promise<void> => {
  await sleepFor(Math.max(0, milliseconds));
};

const wallTime = (): number => Date.now();

/**
 * The clock of one machine: the system's time when it was made, and from then on monotonic time. A correction of the
 * system's time ends no run and prolongs no lease. GUIDs are ordered within the process.
 */
export function systemClock(): Clock {
  const origin = Date.now() - performance.now();
  const now = (): number => Math.floor(origin + performance.now());
  return { now, wallTime, guid: guidMaker(now), sleep };
}

/**
 * The clock of a process among many that share deadlines, as Lambda functions do: the system's time, which the platform
 * keeps right. Monotonic time may stand still in a frozen function.
 */
export function sharedClock(): Clock {
  return { now: wallTime, wallTime, guid: guidMaker(wallTime), sleep };
}

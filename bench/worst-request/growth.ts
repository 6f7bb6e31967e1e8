/**
 * Growth of processor time with the size of a request, beside a yardstick: parsing the same JSON, reading each of its
 * values once, and writing it again. No service does less. An object of very many members leaves the processor's cache,
 * so between 250 KB and 1 MB that alone grows with powers up to 1.6, without any work that is more than linear.
 */

/** The largest power of the size that counts as n log n; between 250 KB and 1 MB, n log n itself has 1.08. */
const MAX_POWER = 1.4;
/** The same margin over n log n, left beside a yardstick that grows faster: the service's passes may not. */
const MAX_POWER_OVER_YARDSTICK = 0.3;
/** Times are counted in steps of 10 ms: a smaller one is not told from this. */
const LEAST_TOLD_MS = 10;
const YARDSTICK_TRIES = 5;

/** One size of a request. */
export interface Sample {
  bytes: number;
  /** Processor time of one request. */
  cpuMs: number;
}

/** The power of the size with which the time grows; undefined for sizes that are too near to tell. */
export function powerOf(small: Sample, large: Sample): number | undefined {
  if (large.bytes <= 2 * small.bytes) return undefined;
  return Math.log(large.cpuMs / Math.max(small.cpuMs, LEAST_TOLD_MS)) / Math.log(large.bytes / small.bytes);
}

/** True where time grows faster than n log n, and not because the yardstick does. */
export function growsTooFast(power: number, yardstick: () => number | undefined): boolean {
  return power > MAX_POWER && power - Math.max(1, yardstick() ?? 1) > MAX_POWER_OVER_YARDSTICK;
}

/** Reads each value of a parsed text, without recursion. @returns how many there are */
function countValues(whole: unknown): number {
  let count = 0;
  const open = [whole];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    count += 1;
    if (typeof next === "object" && next !== null) for (const one of Object.values(next)) open.push(one ?? "");
  }
  return count;
}

/** The least processor time of this process that a JSON text needs to be parsed, read and written. */
function yardstickMs(text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < YARDSTICK_TRIES; tried += 1) {
    const before = process.cpuUsage();
    const value: unknown = JSON.parse(text);
    if (countValues(value) > 0) JSON.stringify(value);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** The power with which the yardstick grows; undefined for texts that are no JSON. */
export function yardstickPower(small: string, large: string): number | undefined {
  try {
    const sample = (text: string): Sample => ({ bytes: text.length, cpuMs: yardstickMs(text) });
    const [less, more] = [sample(small), sample(large)];
    return Math.log(more.cpuMs / less.cpuMs) / Math.log(more.bytes / less.bytes);
  } catch (error) {
    // A form, or a text that is nested too deep to be written.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Tells when a process that has ended a task is replaced. */

/**
 * Share of the memory limit: a process that holds more after its task ends at once, so that the next task has its full
 * limit.
 */
const MAX_IDLE_MEMORY_SHARE = 0.5;
/**
 * Share of the memory limit: a process that holds more after its task serves on until its successor is ready. A process
 * that reads short documents levels off far below.
 */
const WORN_MEMORY_SHARE = 0.4;

export interface ProcessUse {
  /** Number of answered tasks. */
  served: number;
  /** Undefined where the system does not report it. */
  residentBytes: number | undefined;
}

export interface RenewalLimits {
  memoryLimitBytes: number;
  /** Tasks after which a process is replaced, however little memory it keeps. */
  recycleAfter: number;
}

/** `end`: the process ends at once. `succeed`: it serves until another is ready. `keep`: it serves on. */
export function renewalOf(
  { served, residentBytes = 0 }: ProcessUse,
  { memoryLimitBytes, recycleAfter }: RenewalLimits,
): "end" | "succeed" | "keep" {
  if (residentBytes > memoryLimitBytes * MAX_IDLE_MEMORY_SHARE) return "end";
  return served >= recycleAfter || residentBytes > memoryLimitBytes * WORN_MEMORY_SHARE ? "succeed" : "keep";
}

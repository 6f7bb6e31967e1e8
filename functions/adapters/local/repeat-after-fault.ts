/** Repeats work of a driver that no caller waits for, while the machine has a fault such as a full disk. */
import { setTimeout as sleep } from "node:timers/promises";
import { isTransient } from "../../ports/machine-faults.ts";

/** Milliseconds between two tries. */
const FAULT_PAUSE_MS = 1_000;

export type Repeat = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Makes a function that repeats idempotent work until it is done, the service stops, or it fails for another reason.
 * @param onFault called with the error of each failed try that is repeated
 */
export const repeatAfterFault =
  (isStopping: () => boolean, onFault: (error: unknown) => void): Repeat =>
  async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isStopping() || !isTransient(error)) throw error;
        onFault(error);
        await sleep(FAULT_PAUSE_MS, undefined, { ref: false });
      }
    }
  };

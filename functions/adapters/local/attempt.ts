/** Turns a failed condition of a write into a result. */
import { ConditionFailed } from "../../ports/errors.ts";

/** @returns true when the write succeeded; false when a condition failed */
export async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

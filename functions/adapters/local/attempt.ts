/** Conditional writes whose failure is an answer. */
import { ConditionFailed } from "../../ports/errors.ts";

/** @returns whether it was done; false when a condition did not hold */
export async function attempt(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

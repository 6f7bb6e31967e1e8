/**
 * All known differences of a driver, or of its test environment, from the suites. The maker of a suite names the
 * differences of its environment; the suite then asserts the recorded behaviour instead of its own, so that a vanished
 * difference fails a test like a new one. The service relies on none of them.
 */
import { expect, it } from "vitest";

export interface Difference {
  /** The driver, or its counterpart. */
  where: string;
  /** The behaviour that the suite demands. */
  asked: string;
  /** The behaviour that is asserted instead. */
  instead: string;
}

const EMULATOR = "the MiniStack emulator's Step Functions";
const emulated = (asked: string, instead: string): Difference => ({ where: EMULATOR, asked, instead });

/** Differences from the Workflows suite. All are the emulator's: by its documents AWS behaves as the suite demands. */
export const WORKFLOW_DIFFERENCES = {
  innerEvents: emulated(
    "a history has the events of states in branches and iterations",
    "it has those of the machine's own states only",
  ),
  quotedResultPath: emulated("a ResultPath may be $['a-b']", "the member's name is taken with its brackets"),
  missingPath: emulated("a path that finds nothing fails the execution", "it finds null"),
  presentNull: emulated("a member that is null is present", "it is absent"),
  removedMachine: emulated("what ran on a removed machine stays known, and ends", "it is forgotten at once"),
  bareFail: emulated("a Fail state without an error has none", "it is called States.Fail"),
  otherBranches: emulated("a branch that fails ends the others", "the others go on to their ends"),
  machineTimeout: emulated("TimeoutSeconds ends an execution", "a machine's TimeoutSeconds is passed over"),
  payloadLimit: emulated("a payload over 256 KB fails the execution", "any payload is taken"),
  stoppedTask: emulated("nothing follows on a stop", "the Task under way comes to its end, and is in the history"),
  stoppedRetry: emulated("a stopped execution is not retried", "its retries are made"),
  nestedStop: emulated("who waits for an execution hears of its stop, with its description", "it is told a sentence"),
  nestedFailure: emulated("who waits for an execution hears of its failure as States.TaskFailed", "it has its name"),
  nestedAgain: emulated("a machine's start of a name that has ended fails", "it is started again"),
} as const satisfies Record<string, Difference>;

export type WorkflowDifference = keyof typeof WORKFLOW_DIFFERENCES;

/** The tests of a suite in an environment with these differences. */
export interface Asking<Key extends string> {
  /** A test, with its counterpart for an environment with that difference. */
  it(difference: Key, name: string, asked: () => Promise<void>, instead: () => Promise<void>): void;
  /**
   * True for an environment with that difference; for a part of a test, which asserts the counterpart. Call before the
   * tests run.
   */
  has(difference: Key): boolean;
  /** Call after all tests: asserts that the suite has used every difference of the environment. */
  close(): void;
}

export function asking<Key extends string>(
  differences: Readonly<Record<Key, Difference>>,
  here: readonly Key[] = [],
): Asking<Key> {
  const unused = new Set(here);
  const has = (key: Key): boolean => {
    unused.delete(key);
    return here.includes(key);
  };
  return {
    has,
    it(key, name, asked, instead) {
      if (has(key)) it(`${name}; in ${differences[key].where}: ${differences[key].instead}`, instead);
      else it(name, asked);
    },
    close: () => it("each difference of this place is asserted", () => expect([...unused]).toEqual([])),
  };
}

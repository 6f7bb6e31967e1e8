/**
 * The machines of an operation on a finished job: operate → settle, after the document is read anew where that is asked
 * for. Every failure is caught and settled.
 */
import { type Catcher, STEP_RETRY, type State, type StateMachine, stepResource } from "./asl.ts";
import { MACHINE_TIMEOUT_SECONDS } from "./document.ts";
import { readingStates } from "./reading.ts";

/** The steps of these machines alone; they share the others with the document machine. */
export const OPERATION_STEPS = ["operate"] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

const catchToSettle: Catcher[] = [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" }];

const OPERATION_STATES: Record<"operate" | "settle", State> = {
  operate: {
    Type: "Task",
    Resource: stepResource("operate"),
    ResultPath: "$.operate",
    Retry: STEP_RETRY,
    Catch: catchToSettle,
    Next: "settle",
  },
  settle: { Type: "Task", Resource: stepResource("settle"), Retry: STEP_RETRY, End: true },
};

/** Builds the machine; every call gives the same bytes. */
export const operationMachine = (): StateMachine => ({
  Comment: "One operation on a finished job: operate, then settle",
  StartAt: "operate",
  TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
  States: OPERATION_STATES,
});

/** Builds the machine of an operation before which the document is read anew; every call gives the same bytes. */
export const readOperationMachine = (): StateMachine => ({
  Comment: "One operation on a finished job whose document is read anew: recognize, operate, then settle",
  StartAt: "recognize",
  TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
  States: {
    ...readingStates({ prefix: "", ways: { choices: [], otherwise: "operate" }, catches: catchToSettle }),
    ...OPERATION_STATES,
  },
});

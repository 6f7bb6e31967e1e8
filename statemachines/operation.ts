/** The machine of an operation on a finished job: operate → settle. Every failure is caught and settled. */
import { STEP_RETRY, type StateMachine, stepResource } from "./asl.ts";
import { MACHINE_TIMEOUT_SECONDS } from "./document.ts";

/** The steps of this machine alone; it shares `settle` with the document machine. */
export const OPERATION_STEPS = ["operate"] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** Builds the machine; every call gives the same bytes. */
export function operationMachine(): StateMachine {
  return {
    Comment: "One operation on a finished job: operate, then settle",
    StartAt: "operate",
    TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
    States: {
      operate: {
        Type: "Task",
        Resource: stepResource("operate"),
        ResultPath: "$.operate",
        Retry: STEP_RETRY,
        Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" }],
        Next: "settle",
      },
      settle: { Type: "Task", Resource: stepResource("settle"), Retry: STEP_RETRY, End: true },
    },
  };
}

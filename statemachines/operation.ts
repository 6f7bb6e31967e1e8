/** The machine of an operation on a finished job: its work, then its end. Whatever fails is caught and settled. */
import { STEP_RETRY, type StateMachine } from "./asl.ts";
import { MACHINE_TIMEOUT_SECONDS } from "./document.ts";

/** The names of the steps that only this machine calls; it ends with the document machine's `settle`. */
export const OPERATION_STEPS = ["operate"] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** The driver puts the function's name or ARN there. */
const resource = (name: string): string => `\${${name}}`;

/** Builds the machine; the same bytes every time. */
export function operationMachine(): StateMachine {
  return {
    Comment: "One operation on a finished job: operate, then settle",
    StartAt: "operate",
    TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
    States: {
      operate: {
        Type: "Task",
        Resource: resource("operate"),
        ResultPath: "$.operate",
        Retry: STEP_RETRY,
        Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" }],
        Next: "settle",
      },
      settle: { Type: "Task", Resource: resource("settle"), Retry: STEP_RETRY, End: true },
    },
  };
}

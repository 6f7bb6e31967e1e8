/** The machines that no caller's words are part of, by the names that a deployment gives them: it makes them itself. */
import type { StateMachine } from "./asl.ts";
import { distributedBatchMachine } from "./batch.ts";
import { documentMachine } from "./document.ts";
import { operationMachine } from "./operation.ts";

export const BUILT_IN_MACHINES: Readonly<Record<string, () => StateMachine>> = {
  document: documentMachine,
  operation: operationMachine,
  batch: distributedBatchMachine,
};

/** The name of a built-in machine, or of a step's function, in a deployment. @param prefix its own, such as `Sheaf-` */
export const deployedName = (prefix: string, name: string): string => `${prefix}${name}`;

/** The built-in machines, which a deployment creates, by name. Machines of pipelines are compiled at run time. */
import type { StateMachine } from "./asl.ts";
import { distributedBatchMachine } from "./batch.ts";
import { documentMachine } from "./document.ts";
import { operationMachine, readOperationMachine } from "./operation.ts";

export const BUILT_IN_MACHINES: Readonly<Record<string, () => StateMachine>> = {
  document: documentMachine,
  operation: operationMachine,
  "read-operation": readOperationMachine,
  batch: distributedBatchMachine,
};

/**
 * The deployed name of a built-in machine or of a step's function. @param prefix of the deployment, such as `Sheaf-`
 */
export const deployedName = (prefix: string, name: string): string => `${prefix}${name}`;

/** The state machines of runs: made on demand, and made again when they are missing. */
import type { StateMachine } from "../../../statemachines/asl.ts";
import { documentMachine } from "../../../statemachines/document.ts";
import { operationMachine, readOperationMachine } from "../../../statemachines/operation.ts";
import { MachineMissing, NotFound } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { Organization } from "../organizations/organization.ts";
import type { RunCommand } from "./run-command.ts";

/** Makes a machine. @returns its name */
export const makeMachine = (org: Organization, machine: StateMachine): Promise<string> =>
  org.workflows.ensureMachine(machine as unknown as StateMachineDefinition);

/** Makes the machine of an accepted pipeline, and records its use. @returns its name */
export async function makePipelineMachine(org: Organization, definition: unknown): Promise<string> {
  const machine = await org.workflows.ensureMachine(org.pipelines.machineOf(definition));
  await org.machineUses.record(machine);
  return machine;
}

function machineOf(mode: RunCommand["mode"]): StateMachine {
  if (mode === "OPERATION") return operationMachine();
  return mode === "READ_OPERATION" ? readOperationMachine() : documentMachine();
}

/** Makes the machine of a run other than a batch's. @returns its name */
export function makeRunMachine(
  org: Organization,
  { mode, pipeline }: Pick<RunCommand, "mode" | "pipeline">,
): Promise<string> {
  if (mode === "PIPELINE") return makePipelineMachine(org, pipeline);
  return makeMachine(org, machineOf(mode));
}

/** Machine and input of an execution. */
export interface ExecutionStart {
  machine: string;
  input: object;
}

/**
 * Starts an execution; a machine that was removed meanwhile is made again. A name that was started before is not
 * started again.
 * @param prepare makes the machine
 * @returns true when this call started it
 */
export async function startMachine(
  org: Organization,
  name: string,
  prepare: () => Promise<ExecutionStart>,
): Promise<boolean> {
  const start = async (): Promise<boolean> => {
    const { machine, input } = await prepare();
    return (await org.workflows.start(machine, name, { ...input } as { [member: string]: Json })).started;
  };
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof MachineMissing || error instanceof NotFound)) throw error;
    return start();
  }
}

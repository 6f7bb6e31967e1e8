/** The machines that runs are carried out by: made when they are needed, and again when they are missed. */
import type { StateMachine } from "../../../statemachines/asl.ts";
import { documentMachine } from "../../../statemachines/document.ts";
import { operationMachine } from "../../../statemachines/operation.ts";
import { MachineMissing, NotFound } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import type { Organization } from "../organizations/organization.ts";
import type { RunCommand } from "./run-command.ts";

/** @returns its name */
export const makeMachine = (org: Organization, machine: StateMachine): Promise<string> =>
  org.workflows.ensureMachine(machine as unknown as StateMachineDefinition);

/** Makes the machine of an accepted pipeline, which counts as its use. @returns its name */
export async function makePipelineMachine(org: Organization, definition: unknown): Promise<string> {
  const machine = await org.workflows.ensureMachine(org.pipelines.machineOf(definition));
  await org.machineUses.note(machine);
  return machine;
}

/** Makes the machine of a run that is no batch's. @returns its name */
export function makeRunMachine(
  org: Organization,
  { mode, pipeline }: Pick<RunCommand, "mode" | "pipeline">,
): Promise<string> {
  if (mode === "PIPELINE") return makePipelineMachine(org, pipeline);
  return makeMachine(org, mode === "OPERATION" ? operationMachine() : documentMachine());
}

/** What an execution is started on, and with. */
export interface Start {
  machine: string;
  input: object;
}

/**
 * Starts an execution; a machine that was removed since it was made is made again. Starting a name twice is once.
 * @param prepare makes the machine
 * @returns whether this call started it
 */
export async function startMachine(org: Organization, name: string, prepare: () => Promise<Start>): Promise<boolean> {
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

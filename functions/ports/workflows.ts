/** Workflows: executions of state machines. Drivers: an interpreter on one machine, Step Functions on AWS. */
import type { Json } from "./json.ts";

/** A state machine in Amazon States Language whose Task resources are `${stepName}` placeholders. */
export type StateMachineDefinition = { [member: string]: Json };

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";

export interface Execution {
  name: string;
  machine: string;
  status: ExecutionStatus;
  input: Json;
  output?: Json;
  error?: string;
  cause?: string;
  /** ISO 8601. */
  startedAt: string;
  stoppedAt?: string;
}

export interface HistoryEvent {
  /** From 1, in order. */
  id: number;
  /** Step Functions' names: ExecutionStarted, TaskStateEntered, TaskStateExited, ExecutionFailed … */
  type: string;
  /** ISO 8601. */
  timestamp: string;
  stateName?: string;
  error?: string;
}

export interface Workflows {
  /**
   * Makes the machine unless the same definition was made before.
   * @returns its name, the hash of the emitted definition
   */
  ensureMachine(definition: StateMachineDefinition): Promise<string>;
  /**
   * Removes a machine; removing a missing one succeeds. Executions cannot start on it until it is made again. Running
   * executions may end with it, as in Step Functions at their next state: remove only machines without open runs.
   */
  removeMachine(machine: string): Promise<void>;
  /**
   * Starts an execution. A name that was started before is not started again: `started` is false. Input ≤ 256 KB of
   * JSON.
   * @throws NotFound for a machine that was never made; MachineMissing while one that was made is missing
   */
  start(machine: string, name: string, input: Json): Promise<{ started: boolean }>;
  /**
   * Call before a state machine starts a nested execution; drivers resolve only reserved names.
   * @returns the machine to start it on: another than `machine` where the name was started or reserved there
   * @throws BadRequest for an invalid execution name
   */
  reserve(machine: string, name: string): Promise<string>;
  describe(name: string): Promise<Execution | undefined>;
  /** Ends an execution as ABORTED; an ended execution stays as it is. */
  stop(name: string, error: string, cause: string): Promise<void>;
  history(name: string, options?: { cursor?: string }): Promise<{ events: HistoryEvent[]; cursor?: string }>;
}

/** The code of a Task state; Lambda runs it in the cloud. An error named E matches `ErrorEquals: ["E"]`. */
export type Step = (input: Json, context: { executionName: string; taskToken?: string }) => Promise<Json>;

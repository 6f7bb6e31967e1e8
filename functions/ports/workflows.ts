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
  /** Makes the machine unless the same definition was made before. @returns its name, the hash of what is emitted */
  ensureMachine(definition: StateMachineDefinition): Promise<string>;
  /**
   * Removes a machine; one that is not there is success. Nothing more starts on it until it is made again. What runs on it
   * may be ended with it, as Step Functions does at its next state: only what no open run is on is to be removed.
   */
  removeMachine(machine: string): Promise<void>;
  /**
   * Starting a name twice is once: `started` is false and nothing happens. Input ≤ 256 KB of JSON.
   * @throws NotFound where there is no such machine; MachineMissing while one that was made is not there
   */
  start(machine: string, name: string, input: Json): Promise<{ started: boolean }>;
  /**
   * To be said before a machine itself starts an execution of that name: a driver may know by name only what it was told
   * of. @returns the machine to start it on: another than `machine` where the name was started or reserved there
   * @throws BadRequest for a name that no execution can have
   */
  reserve(machine: string, name: string): Promise<string>;
  describe(name: string): Promise<Execution | undefined>;
  /** Ends it as ABORTED; what already ended stays as it ended. */
  stop(name: string, error: string, cause: string): Promise<void>;
  history(name: string, options?: { cursor?: string }): Promise<{ events: HistoryEvent[]; cursor?: string }>;
}

/** A state's task: what Lambda runs in the cloud. Throwing an error named E makes `ErrorEquals: ["E"]` match. */
export type Step = (input: Json, context: { executionName: string; taskToken?: string }) => Promise<Json>;

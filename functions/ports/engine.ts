/**
 * The engine runs document work in isolation: a hostile document costs a process, not the service. On one machine a
 * pool of processes runs the tasks; in the cloud the Lambda function itself does. Payloads and answers are plain data;
 * layouts and results are bytes, which the service does not parse.
 */
import type { AppError } from "./errors.ts";
import type { WorkLimits } from "./limits.ts";

/** Checks the shape of a value; zod's schemas implement it. */
export interface Shape<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/**
 * `memory`, `deadline`: the limit that ended the work. `crashed`: the process died, or its answer has another shape.
 */
export type LossReason = "memory" | "deadline" | "crashed";

/** A task: its name and the shapes of its payload and its answer (functions/engine/tasks). */
export interface Task<Input, Output> {
  readonly name: string;
  readonly input: Shape<Input>;
  readonly output: Shape<Output>;
  /** The error for work whose process died. Default: a JobFailure with the contract's sentence. */
  readonly lost?: (reason: LossReason) => AppError;
}

/** @typeParam T a task @returns its payload's type */
export type TaskInput<T> = T extends Task<infer Input, infer _Output> ? Input : never;
/** @typeParam T a task @returns its answer's type */
export type TaskOutput<T> = T extends Task<infer _Input, infer Output> ? Output : never;

export interface Engine {
  /**
   * Runs a task within its limits. Tasks are repeatable: a driver may run a task again after its process died.
   * @throws the AppError that the task throws; `task.lost`, or a JobFailure, for work that does not end within its
   * limits
   */
  run<Input, Output>(task: Task<Input, Output>, payload: Input, limits: WorkLimits): Promise<Output>;
  close(): Promise<void>;
}

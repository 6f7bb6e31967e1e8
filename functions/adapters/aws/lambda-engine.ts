/**
 * The engine inside a Lambda function: the function's own memory and time are the fence around a document. The machine
 * catches their end, and `describeLambdaFailure` names it. Uploads are inspected by another function (remote-engine.ts).
 */

import type { RunnableTask } from "../../engine/tasks/define-task.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine, Task } from "../../ports/engine.ts";
import { JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";

/** A task that a function carries, whatever it takes. */
export type CarriedTask = Pick<RunnableTask, "name" | "run">;

export interface LambdaEngineOptions {
  clock: Pick<Clock, "now">;
  /** The limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
  /** The tasks in this function's bundle; asking for another is a defect. */
  tasks: Iterable<CarriedTask>;
}

export function openLambdaEngine({ clock, jobTimeoutSeconds, tasks }: LambdaEngineOptions): Engine {
  const carried = new Map([...tasks].map((task) => [task.name, task] as const));
  const checkTime = ({ deadline }: WorkLimits): void => {
    if (clock.now() > deadline) throw new JobFailure(timeoutSentence(jobTimeoutSeconds));
  };
  return {
    /** Work is not interrupted, but an answer that comes too late does not count. */
    async run<Input, Output>(task: Task<Input, Output>, payload: Input, limits: WorkLimits): Promise<Output> {
      checkTime(limits);
      const runnable = carried.get(task.name);
      if (runnable === undefined) throw new Error(`This function does not carry the task ${task.name}`);
      const done = await runnable.run(payload as never);
      checkTime(limits);
      return done as Output;
    },
    async close() {},
  };
}

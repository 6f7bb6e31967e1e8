/**
 * The engine inside a Lambda function: the function's memory and time limits contain a document. The machine catches
 * the
 * function's end, and `describeLambdaFailure` names it. Another function inspects uploads (remote-engine.ts).
 */

import type { RunnableTask } from "../../engine/tasks/define-task.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine, Task } from "../../ports/engine.ts";
import { JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";

/** A task bundled with a function, with any input and output. */
export type CarriedTask = Pick<RunnableTask, "name" | "run">;

export interface LambdaEngineOptions {
  clock: Pick<Clock, "now">;
  /** The limit named in a job's timeout sentence. */
  jobTimeoutSeconds: number;
  /** The tasks in this function's bundle; any other task is a defect. */
  tasks: Iterable<CarriedTask>;
}

export function openLambdaEngine({ clock, jobTimeoutSeconds, tasks }: LambdaEngineOptions): Engine {
  const carried = new Map([...tasks].map((task) => [task.name, task] as const));
  const checkTime = ({ deadline }: WorkLimits): void => {
    if (clock.now() > deadline) throw new JobFailure(timeoutSentence(jobTimeoutSeconds));
  };
  return {
    /** Work is not interrupted, but a late answer does not count. */
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

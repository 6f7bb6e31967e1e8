/** Definition of tasks: x.ts holds name, input and output of a task, x.run.ts its implementation. */
import type { Task } from "../../ports/engine.ts";

/** A task with its implementation. Only the pool's child and the Lambda entries import one. */
export interface RunnableTask<Input = never, Output = unknown> extends Task<Input, Output> {
  run(payload: Input): Promise<Output>;
}

/** Defines a task without its implementation; callers import this. */
export const defineTask = <Input, Output>(task: Task<Input, Output>): Task<Input, Output> => Object.freeze(task);

/**
 * Adds the implementation to a task.
 * @throws TypeError from `run` for a payload of another shape, which is a defect of the caller
 */
export function implementTask<Input, Output>(
  task: Task<Input, Output>,
  work: (payload: NoInfer<Input>) => NoInfer<Output> | Promise<NoInfer<Output>>,
): RunnableTask<Input, Output> {
  return {
    ...task,
    async run(payload) {
      // Pass the payload itself, not the parsed copy: a shape may know fewer members than its type.
      if (!task.input.safeParse(payload).success) throw new TypeError(`Task ${task.name} takes another payload`);
      return work(payload);
    },
  };
}

/** Tasks: x.ts says what a task takes and gives, x.run.ts how it is done. */
import type { Task } from "../../ports/engine.ts";

/** A task with the code that does it. Only the pool's child and the Lambda entries import one. */
export interface RunnableTask<Input = never, Output = unknown> extends Task<Input, Output> {
  run(payload: Input): Promise<Output>;
}

/** A task as data: safe to import wherever work is asked for. */
export const defineTask = <Input, Output>(task: Task<Input, Output>): Task<Input, Output> => Object.freeze(task);

/**
 * Adds the code to a task.
 * @throws TypeError from `run` for a payload of another shape, which is a defect of the caller
 */
export function implementTask<Input, Output>(
  task: Task<Input, Output>,
  work: (payload: NoInfer<Input>) => NoInfer<Output> | Promise<NoInfer<Output>>,
): RunnableTask<Input, Output> {
  return {
    ...task,
    async run(payload) {
      // The payload itself goes on: a shape may know fewer members than its type.
      if (!task.input.safeParse(payload).success) throw new TypeError(`Task ${task.name} takes another payload`);
      return work(payload);
    },
  };
}

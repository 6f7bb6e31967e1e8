/** Reasons why a task was lost with its process. Internal: the pool's caller turns them into a sentence. */
export type KillReason = "memory" | "deadline" | "crashed";

/**
 * The process of this task is gone: it exceeded its memory or its deadline, or crashed by itself. A task whose deadline
 * passed while it waited for a process has the reason `deadline` too.
 */
export class WorkerKilled extends Error {
  override readonly name = "WorkerKilled";
  readonly reason: KillReason;

  constructor(reason: KillReason) {
    super(`The task's process was lost: ${reason}`);
    this.reason = reason;
  }
}

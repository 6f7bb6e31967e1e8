/**
 * Reasons why a task was lost with its process. Internal: the pool's caller turns them into a sentence. `outside`: the
 * system or an operator killed the process, and the task is not to blame; the pool runs it again.
 */
export type KillReason = "memory" | "deadline" | "crashed" | "outside";

/** Text on a process' stderr from its watchdog, which kills it for its memory. */
export const MEMORY_MARK = "sheaf: this process needs more memory than is allowed";

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

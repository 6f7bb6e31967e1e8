import type { Json } from "./json.ts";

/**
 * Answers to executions that wait for a piece of work: a machine's Task puts its token on the queue
 * (`sqs:sendMessage.waitForTaskToken`) and stands still until the token is answered. Each call gives false when nobody
 * waits any more: the task has timed out, or its execution has ended.
 */
export interface TaskTokens {
  /** The Task's result. @throws PayloadTooLarge over 256 KB of JSON */
  succeed(token: string, output: Json): Promise<boolean>;
  /** Fails the Task with an error that its Retry and Catch can name. */
  fail(token: string, error: string, cause: string): Promise<boolean>;
  /** Says that the work goes on: a Task with HeartbeatSeconds fails without. */
  heartbeat(token: string): Promise<boolean>;
}

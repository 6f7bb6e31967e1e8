import type { Json } from "./json.ts";

/**
 * Answers executions that wait for a piece of work: a state machine's Task puts its token on the queue
 * (`sqs:sendMessage.waitForTaskToken`) and waits until the token is answered. Each call returns false when the task has
 * timed out, or its execution has ended.
 */
export interface TaskTokens {
  /** Gives the Task its result. @throws PayloadTooLarge over 256 KB of JSON */
  succeed(token: string, output: Json): Promise<boolean>;
  /** Fails the Task with an error that its Retry and Catch can name. */
  fail(token: string, error: string, cause: string): Promise<boolean>;
  /** Reports that the work is running: a Task with HeartbeatSeconds fails without. */
  heartbeat(token: string): Promise<boolean>;
}

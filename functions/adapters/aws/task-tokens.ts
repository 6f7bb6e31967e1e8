/**
 * Answers Tasks of Step Functions that wait for a callback. The role needs states:SendTaskSuccess, SendTaskFailure and
 * SendTaskHeartbeat on the machines whose tokens it answers.
 * Source: "Wait for a Callback with Task Token", AWS Step Functions Developer Guide.
 */
import {
  InvalidOutput,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from "@aws-sdk/client-sfn";
import type { Clock } from "../../ports/clock.ts";
import { BadRequest, PayloadTooLarge } from "../../ports/errors.ts";
import type { TaskTokens } from "../../ports/task-tokens.ts";
import { jsonBytes, MAX_PAYLOAD_BYTES } from "../workflows-json.ts";
import { cutCause, cutName } from "../workflows-limits.ts";
import { callPatiently } from "./service-calls.ts";
import { toAppError } from "./service-errors.ts";
import { isTransient } from "./workflows-errors.ts";

export interface TaskTokensOptions {
  client: SFNClient;
  clock: Pick<Clock, "now" | "sleep">;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
}

/** True when the execution has ended or continued without an answer. */
const isOver = (error: unknown): boolean => error instanceof TaskTimedOut || error instanceof TaskDoesNotExist;

/** A busy service is a retryable AppError after several attempts; an invalid token is an AppError of status 500. */
export function openTaskTokens({ client, ...patience }: TaskTokensOptions): TaskTokens {
  /** @returns false when no Task waits for the token any more */
  async function tell(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await callPatiently(call, patience, isTransient);
      return true;
    } catch (error) {
      if (isOver(error)) return false;
      if (error instanceof InvalidOutput) throw new BadRequest("The work's output is not valid.", { cause: error });
      throw toAppError(error, "The workflow service");
    }
  }
  return {
    async succeed(taskToken, output) {
      if (jsonBytes(output) > MAX_PAYLOAD_BYTES) {
        throw new PayloadTooLarge(`The work's output is larger than the maximum of ${MAX_PAYLOAD_BYTES} bytes.`);
      }
      return tell(() => client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) })));
    },
    fail: (taskToken, error, cause) =>
      tell(() => client.send(new SendTaskFailureCommand({ taskToken, error: cutName(error), cause: cutCause(cause) }))),
    heartbeat: (taskToken) => tell(() => client.send(new SendTaskHeartbeatCommand({ taskToken }))),
  };
}

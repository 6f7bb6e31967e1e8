/**
 * The engine of functions that take requests: its tasks run in another function, which contains hostile documents.
 * Bytes go through the bucket, because an invocation takes 6 MB at most; refusals come back as data.
 */
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { documentNotOpened } from "../../engine/tasks/inspect.ts";
import { json } from "../../engine/tasks/shapes.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Engine, LossReason, Task } from "../../ports/engine.ts";
import { AppError, BadRequest, ERROR_KINDS, NotFound, UnprocessableEntity } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import { attachBytes, detachBytes, detachedKeys, TEMPORARY_PREFIX } from "./detached-bytes.ts";
import type { CarriedTask } from "./lambda-engine.ts";
import { lambdaEnd } from "./lambda-failures.ts";
import { toAppError } from "./service-errors.ts";

/** A task's name, its payload without bytes, and the prefix for the answer's bytes. */
export const remoteRequest = z.object({
  task: z.string(),
  payload: json,
  answerPrefix: z.string().startsWith(TEMPORARY_PREFIX),
});
export type RemoteRequest = z.infer<typeof remoteRequest>;

const memberFault = z.object({ path: z.string(), message: z.string() });

const remoteAnswer = z.union([
  z.object({ value: json }),
  z.object({
    refused: z.object({ kind: z.enum(ERROR_KINDS), message: z.string(), errors: z.array(memberFault).exactOptional() }),
  }),
]);
export type RemoteAnswer = z.infer<typeof remoteAnswer>;

export interface RemoteEngineOptions {
  client: LambdaClient;
  functionName: string;
  blobs: Pick<Blobs, "get" | "put" | "delete">;
  clock: Pick<Clock, "now" | "guid">;
}

function parse(payload: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(payload ?? []).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Runs tasks in another function, whose bundle has the tasks that requests need. */
export function openRemoteEngine(options: RemoteEngineOptions): Engine {
  const { blobs, clock } = options;
  /** When this fails, the bucket's rule removes them. */
  const remove = (keys: readonly string[]) => Promise.allSettled(keys.map((key) => blobs.delete(key)));
  return {
    async run<Input, Output>(task: Task<Input, Output>, payload: Input, limits: WorkLimits): Promise<Output> {
      const lost = (reason: LossReason) => task.lost?.(reason) ?? documentNotOpened(reason);
      const prefix = `${TEMPORARY_PREFIX}inspect/${clock.guid()}`;
      const { json, keys } = await detachBytes(payload, blobs, prefix);
      try {
        const request = { task: task.name, payload: json, answerPrefix: `${prefix}-answer` };
        const value = await invoke(options, request, limits, lost);
        keys.push(...detachedKeys(value));
        const answer = task.output.safeParse(await attachBytes(value, blobs, () => lost("crashed")));
        if (!answer.success) throw lost("crashed");
        return answer.data;
      } finally {
        await remove(keys);
      }
    },
    async close() {},
  };
}

/** @throws the refusal of the function; `lost` when the function did not survive the work */
async function invoke(
  { client, functionName, clock }: RemoteEngineOptions,
  request: RemoteRequest,
  { deadline, workMs = Number.POSITIVE_INFINITY }: WorkLimits,
  lost: (reason: LossReason) => AppError,
): Promise<Json> {
  // An invocation starts at once or is refused, so nothing waits here.
  const abortSignal = AbortSignal.timeout(Math.max(Math.min(deadline - clock.now(), workMs), 1));
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) });
  const { FunctionError, Payload } = await client.send(command, { abortSignal }).catch((error: unknown) => {
    throw abortSignal.aborted ? lost("deadline") : toAppError(error, "The service's inspection");
  });
  const payload = parse(Payload);
  if (FunctionError !== undefined) {
    const { errorType, errorMessage } = (payload ?? {}) as { errorType?: unknown; errorMessage?: unknown };
    throw lost(lambdaEnd(errorType, errorMessage) ?? "crashed");
  }
  const answer = remoteAnswer.safeParse(payload);
  if (!answer.success) throw lost("crashed");
  if ("value" in answer.data) return answer.data.value;
  const { kind, message, ...members } = answer.data.refused;
  if (kind === "NotFound") throw new NotFound(message);
  if (kind === "BadRequest") throw new BadRequest(message, members);
  throw kind === "UnprocessableEntity"
    ? new UnprocessableEntity(message, members)
    : new AppError(kind, message, members);
}

/**
 * Runs a task in the invoked function.
 * @throws Error for anything but an AppError, so that Lambda reports it; ZodError for an event not sent by
 *   `openRemoteEngine`
 */
export async function runRemoteTask(
  event: unknown,
  blobs: Pick<Blobs, "get" | "put">,
  tasks: Iterable<CarriedTask>,
): Promise<RemoteAnswer> {
  const { task: name, payload, answerPrefix } = remoteRequest.parse(event);
  const task = [...tasks].find((one) => one.name === name);
  if (task === undefined) throw new Error(`This function does not carry the task ${name}`);
  const gone = () => new UnprocessableEntity("The document could not be opened: its upload is gone");
  try {
    const answer = await task.run((await attachBytes(payload, blobs, gone)) as never);
    return { value: (await detachBytes(answer, blobs, answerPrefix)).json };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, message, errors } = error;
    return { refused: { kind, message, ...(errors === undefined ? {} : { errors }) } };
  }
}

/** Carries out what is on the work queue, and answers the executions that wait for it. */
import { AppError } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import { describeError } from "../../ports/observer.ts";
import { MAX_RECEIVES, type QueueMessage } from "../../ports/queue.ts";
import type { TaskTokens } from "../../ports/task-tokens.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import { enqueue, type Work } from "../queue/enqueue.ts";
import { deleteUpload } from "../runs/uploads.ts";
import { deliverWebhook } from "../webhooks/deliver-event.ts";
import { finishDeletion } from "./delete-job.ts";
import { advanceDependents } from "./dependent-runs.ts";

/** A message's body: work of one organization, with the token of the Task that waits for it, if one does. */
interface WorkItem {
  kind: string;
  organizationId: number;
  taskToken?: string;
  [member: string]: Json | undefined;
}

/** Does a piece of work. @returns what an execution gets that waits for it */
export type WorkHandler = (org: Organization, item: Readonly<WorkItem>) => Promise<Json>;

/** Every kind of work that there is. */
export const workHandlers: Readonly<Record<Work["kind"], WorkHandler>> = {
  "delete-job": async (org, item) => {
    const guid = guidOf(item);
    if (!(await finishDeletion(org, guid))) await enqueue(org, { kind: "delete-job", guid });
    return null;
  },
  "delete-upload": async (org, item) => {
    await deleteUpload(org, guidOf(item));
    return null;
  },
  "start-dependents": async (org, item) => {
    await advanceDependents(org, guidOf(item));
    return null;
  },
  "deliver-webhook": async (org, { kind, event }) => {
    if (typeof event !== "string") throw new TypeError(`Work of the kind ${kind} names an event`);
    await deliverWebhook(org, event);
    return null;
  },
};

/** While work is done for a Task, its heart beats so often; a Task's HeartbeatSeconds should be three times that. */
const HEARTBEAT_MS = 20_000;

export interface CarryOutOptions {
  /** Those of the service unless a test gives others. */
  handlers?: Readonly<Record<string, WorkHandler>>;
  /** Where machines can wait for work; elsewhere work with a token cannot be done. */
  tokens?: TaskTokens;
  heartbeatMs?: number;
}

/**
 * Carries out one message. A Task that waits for it gets its result, or its failure: at once when trying again would
 * not mend it, else at the last delivery. What nobody waits for any more is not done.
 * @throws whatever failed, for the message to be delivered again: also when its kind is unknown, so that it ends among
 *   the dead letters and is never passed over
 */
export async function carryOut(
  platform: Platform,
  { id, body, receives }: Pick<QueueMessage, "id" | "body" | "receives">,
  { handlers = workHandlers, tokens, heartbeatMs = HEARTBEAT_MS }: CarryOutOptions = {},
): Promise<void> {
  const now = (): number => platform.engines.clock.now();
  const started = now();
  const { kind, token } = labelsOf(body);
  const task = token === undefined || tokens === undefined ? undefined : taskOf(token, tokens);
  const stopBeating = task?.beat(heartbeatMs);
  let outcome = "failed";
  try {
    if (token !== undefined && task === undefined) throw new Error("This service has no way to answer a Task");
    if (task !== undefined && !(await task.isAwaited())) {
      outcome = "unawaited";
      return;
    }
    const output = await workOn(platform, body, handlers);
    await task?.succeed(output);
    outcome = "done";
  } catch (error) {
    platform.observer.log("error", "work failed", { message: id, kind, receives, ...describeError(error) });
    const final = error instanceof AppError && !error.retryable && error.refusesRequest;
    if (task === undefined || !(final || receives >= MAX_RECEIVES)) throw error;
    await task.fail(error);
    if (!final) throw error;
  } finally {
    stopBeating?.();
    platform.observer.time("work_seconds", { kind, outcome }, (now() - started) / 1000);
  }
}

async function workOn(platform: Platform, body: Json, handlers: Readonly<Record<string, WorkHandler>>): Promise<Json> {
  const item = itemOf(body);
  const handler = Object.hasOwn(handlers, item.kind) ? handlers[item.kind] : undefined;
  if (handler === undefined) throw new TypeError(`No work is of the kind ${item.kind}`);
  return handler(bindOrganization(platform, item.organizationId), item);
}

/** What can be said of a message before it is known to be one of ours. */
function labelsOf(body: Json): { kind: string; token: string | undefined } {
  const { kind, taskToken } = isObject(body) ? body : {};
  return {
    kind: typeof kind === "string" ? kind : "",
    token: typeof taskToken === "string" ? taskToken : undefined,
  };
}

/** @throws TypeError for a message that nobody of ours sends */
function itemOf(body: Json): WorkItem {
  const { kind, organizationId } = isObject(body) ? body : {};
  if (typeof kind !== "string" || typeof organizationId !== "number") {
    throw new TypeError("A message on the work queue names its kind and its organization");
  }
  return { ...(body as { [member: string]: Json }), kind, organizationId };
}

function guidOf({ kind, guid }: Readonly<WorkItem>): string {
  if (typeof guid !== "string" || guid === "") throw new TypeError(`Work of the kind ${kind} names a job`);
  return guid;
}

interface WaitingTask {
  /** Nobody waits where an execution has ended, or has asked anew since, as one that is resumed does. */
  isAwaited(): Promise<boolean>;
  succeed(output: Json): Promise<unknown>;
  fail(error: unknown): Promise<unknown>;
  /** @returns what stops it */
  beat(everyMs: number): () => void;
}

/** The Task that waits behind a token. */
const taskOf = (token: string, tokens: TaskTokens): WaitingTask => ({
  // Where it cannot be told, work that is done twice is better than none.
  isAwaited: () => tokens.heartbeat(token).catch(() => true),
  succeed: (output) => tokens.succeed(token, output),
  fail: (error) => {
    const errorType = error instanceof Error ? error.name : "Error";
    const errorMessage = error instanceof AppError ? error.message : "The service made an error";
    // The form in which Lambda tells of an error, so that one reader of causes does for both.
    return tokens.fail(token, errorType, JSON.stringify({ errorType, errorMessage }));
  },
  beat: (everyMs) => {
    // One that is lost is made up for by the next, and the answer itself tells whether anybody still waits.
    const timer = setInterval(() => void tokens.heartbeat(token).catch(() => undefined), everyMs);
    return () => clearInterval(timer);
  },
});

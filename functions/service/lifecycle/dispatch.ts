/** Processing of the work queue, and answers to executions that wait for its work. */
import { AppError } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import { describeError } from "../../ports/observer.ts";
import { MAX_RECEIVES, type QueueMessage } from "../../ports/queue.ts";
import type { TaskTokens } from "../../ports/task-tokens.ts";
import { knowledgeWork } from "../knowledge/knowledge-work.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import { enqueue, type Work } from "../queue/enqueue.ts";
import { stepErrorOf } from "../runs/step-errors.ts";
import { deleteUpload } from "../runs/uploads.ts";
import { templateWork } from "../templates/template-work.ts";
import { webhookWork } from "../webhooks/webhook-work.ts";
import { caseWork } from "./case-work.ts";
import { finishDeletion } from "./delete-job.ts";
import { advanceDependents } from "./dependent-runs.ts";
import { startPostponed } from "./settle-batch.ts";

/** A message's body: work of one organization, with the token of a waiting Task, if there is one. */
interface WorkItem {
  kind: string;
  organizationId: number;
  taskToken?: string;
  [member: string]: Json | undefined;
}

/** Does a piece of work. @returns the output for a waiting execution */
export type WorkHandler = (org: Organization, item: Readonly<WorkItem>) => Promise<Json>;

/** Handlers of all kinds of work. */
export const workHandlers: Readonly<Record<Work["kind"], WorkHandler>> = {
  "delete-job": async (org, item) => {
    const guid = jobGuidOf(item);
    if (!(await finishDeletion(org, guid))) await enqueue(org, { kind: "delete-job", guid });
    return null;
  },
  "delete-upload": async (org, item) => {
    await deleteUpload(org, jobGuidOf(item));
    return null;
  },
  "start-dependents": async (org, item) => {
    await advanceDependents(org, jobGuidOf(item));
    return null;
  },
  "start-run": async (org, item) => {
    const { kind, run } = item;
    if (typeof run !== "number") throw new TypeError(`Work of the kind ${kind} names a run`);
    await startPostponed(org, jobGuidOf(item), run);
    return null;
  },
  ...caseWork,
  ...knowledgeWork,
  ...templateWork,
  ...webhookWork,
};

/** Interval of heartbeats during work for a Task; a Task's HeartbeatSeconds should be three times that. */
const HEARTBEAT_MS = 20_000;

export interface ProcessingOptions {
  /** Default: the service's. */
  handlers?: Readonly<Record<string, WorkHandler>>;
  /** Absent: work with a token fails. */
  tokens?: TaskTokens;
  heartbeatMs?: number;
}

/**
 * Processes one message, and returns the output of its work. A waiting Task gets its result, or its failure: a final
 * failure at once, a transient one at the last delivery. Work for a Task that no longer waits is skipped.
 * @throws the failure, so that the message is delivered again; also for an unknown kind, so that the message ends among
 *   the dead letters and is not lost
 */
export async function processMessage(
  platform: Platform,
  { id, body, receives }: Pick<QueueMessage, "id" | "body" | "receives">,
  { handlers = workHandlers, tokens, heartbeatMs = HEARTBEAT_MS }: ProcessingOptions = {},
): Promise<Json> {
  const now = (): number => platform.engines.clock.now();
  const started = now();
  const { kind, token } = messageLabels(body);
  const task = token === undefined || tokens === undefined ? undefined : waitingTask(token, tokens);
  const stopHeartbeats = task?.startHeartbeats(heartbeatMs);
  let outcome = "failed";
  try {
    if (token !== undefined && task === undefined) throw new Error("This service has no way to answer a Task");
    if (task !== undefined && !(await task.isAwaited())) {
      outcome = "unawaited";
      return null;
    }
    const output = await handleItem(platform, body, handlers);
    await task?.succeed(output);
    outcome = "done";
    return output;
  } catch (thrown) {
    platform.observer.log("error", "work failed", { message: id, kind, receives, ...describeError(thrown) });
    const error = stepErrorOf(thrown);
    const isFinal = error instanceof AppError && !error.retryable && error.refusesRequest;
    if (task === undefined || !(isFinal || receives >= MAX_RECEIVES)) throw error;
    await task.fail(error);
    if (!isFinal) throw error;
    return null;
  } finally {
    stopHeartbeats?.();
    platform.observer.time("work_seconds", { kind, outcome }, (now() - started) / 1000);
  }
}

async function handleItem(
  platform: Platform,
  body: Json,
  handlers: Readonly<Record<string, WorkHandler>>,
): Promise<Json> {
  const item = parseItem(body);
  const handler = Object.hasOwn(handlers, item.kind) ? handlers[item.kind] : undefined;
  if (handler === undefined) throw new TypeError(`No work is of the kind ${item.kind}`);
  return handler(bindOrganization(platform, item.organizationId), item);
}

/** Kind and token of a message before its body is checked. */
function messageLabels(body: Json): { kind: string; token: string | undefined } {
  const { kind, taskToken } = isObject(body) ? body : {};
  return {
    kind: typeof kind === "string" ? kind : "",
    token: typeof taskToken === "string" ? taskToken : undefined,
  };
}

/** @throws TypeError for a body of another form */
function parseItem(body: Json): WorkItem {
  const { kind, organizationId } = isObject(body) ? body : {};
  if (typeof kind !== "string" || typeof organizationId !== "number") {
    throw new TypeError("A message on the work queue names its kind and its organization");
  }
  return { ...(body as { [member: string]: Json }), kind, organizationId };
}

function jobGuidOf({ kind, guid }: Readonly<WorkItem>): string {
  if (typeof guid !== "string" || guid === "") throw new TypeError(`Work of the kind ${kind} names a job`);
  return guid;
}

interface WaitingTask {
  /** False when the execution has ended, or waits with a new token since, as a resumed one does. */
  isAwaited(): Promise<boolean>;
  succeed(output: Json): Promise<unknown>;
  fail(error: unknown): Promise<unknown>;
  /** Starts heartbeats. @returns a function that stops them */
  startHeartbeats(everyMs: number): () => void;
}

/** The Task that waits with a token. */
const waitingTask = (token: string, tokens: TaskTokens): WaitingTask => ({
  // When in doubt, work that is done twice is better than none.
  isAwaited: () => tokens.heartbeat(token).catch(() => true),
  succeed: (output) => tokens.succeed(token, output),
  fail: (error) => {
    const errorType = error instanceof Error ? error.name : "Error";
    const errorMessage = error instanceof AppError ? error.message : "The service made an error";
    // The form of Lambda's errors, so that one parser reads both.
    return tokens.fail(token, errorType, JSON.stringify({ errorType, errorMessage }));
  },
  startHeartbeats: (everyMs) => {
    // A lost heartbeat is made up for by the next, and the answer itself tells whether the Task still waits.
    const timer = setInterval(() => void tokens.heartbeat(token).catch(() => undefined), everyMs);
    return () => clearInterval(timer);
  },
});

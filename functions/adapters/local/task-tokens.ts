/**
 * Tasks that wait for queued work on one machine, in place of `sqs:sendMessage.waitForTaskToken` in the cloud. Tokens
 * live
 * as long as the process; a resumed run queues its work again, which is harmless.
 */
import { randomUUID } from "node:crypto";
import type { Json } from "../../ports/json.ts";
import { NODE_QUEUES, type WorkQueue } from "../../ports/queue.ts";
import type { TaskTokens } from "../../ports/task-tokens.ts";
import type { Step } from "../../ports/workflows.ts";

interface Waiter {
  resolve(output: Json): void;
  reject(error: Error): void;
}

export interface LocalTaskTokens extends TaskTokens {
  /** Waits for the outcome of the work that carries the token. */
  wait(token: string): Promise<Json>;
}

/** The error for a machine's Retry and Catch, parsed from a cause in Lambda's form. */
function failureOf(error: string, cause: string): Error {
  const { errorMessage } = JSON.parse(cause) as { errorMessage?: string };
  return Object.assign(new Error(errorMessage ?? cause), { name: error });
}

export function openTaskTokens(): LocalTaskTokens {
  const waiting = new Map<string, Waiter>();
  const take = (token: string): Waiter | undefined => {
    const waiter = waiting.get(token);
    waiting.delete(token);
    return waiter;
  };
  return {
    wait: (token) => new Promise((resolve, reject) => waiting.set(token, { resolve, reject })),
    async succeed(token, output) {
      const waiter = take(token);
      waiter?.resolve(output);
      return waiter !== undefined;
    },
    async fail(token, error, cause) {
      const waiter = take(token);
      waiter?.reject(failureOf(error, cause));
      return waiter !== undefined;
    },
    heartbeat: async (token) => waiting.has(token),
  };
}

const isTier = (tier: unknown): tier is keyof typeof NODE_QUEUES =>
  typeof tier === "string" && Object.hasOwn(NODE_QUEUES, tier);

/** The step of a node that goes through the queue of its model's tier. */
export function queuedNodeStep(queue: Pick<WorkQueue, "send">, tokens: LocalTaskTokens): Step {
  return async (input, { executionName }) => {
    const { tier, group, ...work } = (input ?? {}) as { [member: string]: Json };
    if (!isTier(tier)) throw new TypeError("A queued node names its tier");
    // Machines of earlier releases name no group.
    const options = typeof group === "string" ? { group } : {};
    // A new token per call, so that two executions or two attempts never answer each other.
    const token = `${executionName}/${String(work.node)}/${randomUUID()}`;
    const done = tokens.wait(token);
    try {
      await queue.send(NODE_QUEUES[tier], { kind: "extract-node", ...work, taskToken: token }, options);
    } catch (error) {
      await tokens.fail(token, "Error", JSON.stringify({ errorMessage: "not sent" }));
      await done.catch(() => undefined);
      throw error;
    }
    return done;
  };
}

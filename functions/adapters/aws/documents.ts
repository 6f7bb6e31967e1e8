/**
 * DocumentEngine inside a Lambda function: the function's own memory and time are the fence around a document. What
 * they end, the machine catches and `describeLambdaFailure` names. Uploads are looked at by a function of their own
 * (inspection.ts).
 */

import type { DocumentTasks } from "../../engine/tasks/engine.ts";
import { engineMethods } from "../../engine/tasks/methods.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentEngine } from "../../ports/engine.ts";
import { JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";

export interface LambdaDocumentsOptions {
  clock: Pick<Clock, "now">;
  /** The limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
  /** What this function carries; asking for another task is a defect. */
  tasks: Partial<DocumentTasks>;
}

export function openLambdaDocuments({ clock, jobTimeoutSeconds, tasks }: LambdaDocumentsOptions): DocumentEngine {
  const checkTime = ({ deadline }: WorkLimits): void => {
    if (clock.now() > deadline) throw new JobFailure(timeoutSentence(jobTimeoutSeconds));
  };
  /** Work is not interrupted, but what comes too late does not count. */
  async function work<Name extends keyof DocumentTasks>(
    name: Name,
    payload: Parameters<DocumentTasks[Name]>[0],
    limits: WorkLimits,
  ): Promise<Awaited<ReturnType<DocumentTasks[Name]>>> {
    checkTime(limits);
    const task = tasks[name] as ((given: typeof payload) => ReturnType<DocumentTasks[Name]>) | undefined;
    if (task === undefined) throw new Error(`This function does not carry the task ${name}`);
    const done = await task(payload);
    checkTime(limits);
    return done;
  }
  return {
    ...engineMethods(work),
    inspect: async () => {
      throw new Error("Uploads are looked at by a function of their own");
    },
    async close() {},
  };
}

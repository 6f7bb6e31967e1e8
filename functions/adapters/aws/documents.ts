/**
 * DocumentEngine inside a Lambda function: the function's own memory and time are the fence around a document. What
 * they end, the machine catches and `describeLambdaFailure` names.
 */
import { documentTasks } from "../../core/documents/engine.ts";
import { JobFailure, timeoutSentence } from "../../core/errors.ts";
import type { Clock, DocumentEngine, WorkLimits } from "../../core/ports.ts";

export interface LambdaDocumentsOptions {
  clock: Pick<Clock, "now">;
  /** The limit that a job's timeout sentence names. */
  jobTimeoutSeconds: number;
}

export function openLambdaDocuments({ clock, jobTimeoutSeconds }: LambdaDocumentsOptions): DocumentEngine {
  const checkTime = ({ deadline }: WorkLimits): void => {
    if (clock.now() > deadline) throw new JobFailure(timeoutSentence(jobTimeoutSeconds));
  };
  /** Work is not interrupted, but what comes too late does not count. */
  const within = async <T>(limits: WorkLimits, work: () => Promise<T>): Promise<T> => {
    checkTime(limits);
    const done = await work();
    checkTime(limits);
    return done;
  };
  return {
    read: (bytes, options, limits) => within(limits, () => documentTasks.read({ bytes, options })),
    transcribe: (layout, format, limits) => within(limits, () => documentTasks.transcribe({ layout, format })),
    extract: (layout, request, limits) => within(limits, () => documentTasks.extract({ layout, request })),
    inspect: (bytes, mimeType, limits) => within(limits, () => documentTasks.inspect({ bytes, mimeType })),
    async close() {},
  };
}

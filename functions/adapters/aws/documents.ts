/**
 * DocumentEngine inside a Lambda function: the function's own memory and time are the fence around a document. What
 * they end, the machine catches and `describeLambdaFailure` names.
 */

import type { DocumentTasks } from "../../core/documents/engine.ts";
import { modelWork } from "../../core/documents/tasks/work.ts";
import { JobFailure, timeoutSentence } from "../../core/errors.ts";
import type { Clock, DocumentEngine, WorkLimits } from "../../core/ports.ts";

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
    read: (bytes, options, limits) => work("read", { bytes, options }, limits),
    complete: (reading, recognised, limits) => work("complete", { reading, recognised }, limits),
    picture: (bytes, options, limits) => work("picture", { bytes, options }, limits),
    picturesPdf: (bytes, options, limits) => work("picturesPdf", { bytes, options }, limits),
    pageImage: (bytes, options, limits) => work("pageImage", { bytes, options }, limits),
    extras: (bytes, layout, options, limits) => work("extras", { bytes, layout, options }, limits),
    acroForm: (bytes, limits) => work("acroForm", { bytes }, limits),
    cells: (bytes, limits) => work("cells", { bytes }, limits),
    describe: (layout, request, limits) => work("describe", { layout, request }, limits),
    transcribe: (layout, format, limits) => work("transcribe", { layout, format }, limits),
    extract: (layout, request, limits) => work("extract", { layout, request }, limits),
    locate: (layout, result, request, limits) => work("locate", { layout, result, request }, limits),
    model: modelWork(work),
    inspect: (bytes, mimeType, limits) => work("inspect", { bytes, mimeType }, limits),
    async close() {},
  };
}

/** The work of an operation: as the step of its own machine, or within a pipeline node's step. */

import { JobFailure } from "../ports/errors.ts";
import { encodeJson } from "../ports/json.ts";
import { settleRun } from "../service/lifecycle/settle-run.ts";
import type { AskModel } from "../service/operations/operation.ts";
import { operationFiles } from "../service/operations/operation-files.ts";
import { findOperationType } from "../service/operations/operation-registry.ts";
import { type OperationRequest, startOperation } from "../service/operations/start-operation.ts";
import { modelOf } from "../service/organizations/engines.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { JobStatus } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { findRun } from "../service/runs/open-run.ts";
import { noteProgress } from "../service/runs/progress-notes.ts";
import { runStep, type StepFacts } from "../service/runs/run-step.ts";
import { findReading } from "../service/runs/step-outcomes.ts";
import { askModel } from "./ask-model.ts";
import { defineStep } from "./define-step.ts";

/** Runs the operation of a run, and stores its result among its parent's files. @throws JobFailure */
function runOperateStep(org: Organization, input: { guid: string; run: number }, until: number): Promise<StepFacts> {
  return runStep(org, input, "operate", async (context) => {
    const command = await context.readCommand();
    const { operation: request, llm: tier = "DEFAULT" } = command;
    const { operation: place } = context.job;
    if (request === undefined || place === undefined) throw new TypeError("This run is not an operation's");
    const own = context.org;
    const model = modelOf(own.engines, tier);
    const deadline = Math.min(context.deadline, until);
    const ask: AskModel | null =
      model === null ? null : (work) => askModel({ ...context, deadline }, model, command, work);
    const files = operationFiles(org, place.parent, input.guid);
    const { outputs } = await context.readOutcomes();
    // A document that was read anew for the operation.
    const { layoutKey = request.material.layoutKey } = findReading(outputs) ?? {};
    const material = { ...request.material, ...(layoutKey === undefined ? {} : { layoutKey }) };
    const progress = (phase: string, total: number, unit: string) => noteProgress(context, phase, total, unit)(0);
    const operationContext = { org: own, guid: input.guid, material, tier, deadline, ask, files, progress };
    const { result, engine, keys } = await findOperationType(request.type).run(operationContext, request.parameters);
    const resultKey = await files.put("result", encodeJson(result));
    return { facts: { resultKey, resultType: "application/json", engine, ...keys } };
  });
}

export const operate = defineStep((org, input) => runOperateStep(org, input, Number.POSITIVE_INFINITY));

/** The end of an operation. */
export interface OperationEnd {
  guid: string;
  status: JobStatus;
  /** The sentence of a FAILED operation. */
  error: string | null;
  /** Blob of the result, JSON; absent for a FAILED operation. */
  resultKey?: string;
  engine: string | null;
}

/**
 * Runs an operation within another step, from start to end; it has a job, a trace and usage like any other. A repeated
 * call with the same GUID continues it without repeating finished work.
 * @param until deadline of the waiting step, milliseconds since 1970
 * @throws what `startOperation` throws; RetryableStepError; never for an operation that FAILED
 */
export async function runOperation(
  org: Organization,
  request: OperationRequest & { guid: string; within: string },
  until: number,
): Promise<OperationEnd> {
  const { guid } = await startOperation(org, request);
  const { openRun } = (await loadJob(org, guid)).value;
  if (openRun !== null) {
    let sentence: string | undefined;
    try {
      await runOperateStep(org, { guid, run: openRun }, until);
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      sentence = error.message;
    }
    await settleRun(org, guid, openRun, sentence);
  }
  const job = (await loadJob(org, guid)).value;
  const run = findRun(job, job.lastRun);
  return {
    guid,
    status: job.status,
    error: job.error,
    engine: run?.engine ?? null,
    ...(run?.resultKey === undefined ? {} : { resultKey: run.resultKey }),
  };
}

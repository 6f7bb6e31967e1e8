/** The work of an operation: as the step of its machine, or within a step of another. */
import { JobFailure } from "../ports/errors.ts";
import { encodeJson } from "../ports/json.ts";
import { settleRun } from "../service/lifecycle/settle-run.ts";
import type { AskModel } from "../service/operations/operation.ts";
import { operationOf } from "../service/operations/operation-registry.ts";
import { type OperationRequest, startOperation } from "../service/operations/start-operation.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { type JobStatus, operationResultKey } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { findRun } from "../service/runs/open-run.ts";
import { runStep, type StepFacts } from "../service/runs/run-step.ts";
import { askWithin } from "./model-calls.ts";
import { defineStep } from "./step.ts";

/** Does the operation that a run is of, and keeps its result beside its parent. @throws JobFailure */
function work(org: Organization, input: { guid: string; run: number }, until: number): Promise<StepFacts> {
  return runStep(org, input, "operate", async (context) => {
    const command = await context.readCommand();
    const { operation: asked, llm: tier = "DEFAULT" } = command;
    const { operation: place } = context.job;
    if (asked === undefined || place === undefined) throw new TypeError("This run is not an operation's");
    const { model } = org.engines;
    const deadline = Math.min(context.deadline, until);
    const ask: AskModel | null =
      model === null ? null : (work) => askWithin({ ...context, deadline }, model, command, work);
    const about = { org, guid: input.guid, material: asked.material, tier, deadline, ask };
    const { result, engine } = await operationOf(asked.type).run(about, asked.parameters);
    const resultKey = operationResultKey(place.parent, input.guid);
    await org.blobs.put(resultKey, encodeJson(result), { contentType: "application/json" });
    return { facts: { resultKey, resultType: "application/json", engine } };
  });
}

export const operate = defineStep((org, input) => work(org, input, Number.POSITIVE_INFINITY));

/** The end of an operation. */
export interface OperationEnd {
  guid: string;
  status: JobStatus;
  /** The sentence of one that FAILED. */
  error: string | null;
  /** Blob of its result, JSON; absent where it FAILED. */
  resultKey?: string;
  engine: string | null;
}

/**
 * An operation within another step, from its beginning to its end: its job, trace and usage are as those of any other.
 * With the same GUID again it is once, and what was done of it is not repeated.
 * @param until milliseconds since 1970, when whoever waits for it has no more time
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
      await work(org, { guid, run: openRun }, until);
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

/** Which run's result a reader gets, and where it lies. */
import { NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { type RunSummary, TERMINAL } from "./job-records.ts";
import { loadJob } from "./job-store.ts";

/** A stored answer: its blob and media type. */
export interface StoredAnswer {
  key: string;
  contentType: string;
}

/**
 * The run whose result is served: the newest finished one, or the one asked for.
 * @throws NotFound when there is no such job or run, or nothing has finished
 */
export async function servedRun(org: Organization, guid: string, run: number | undefined): Promise<RunSummary> {
  const job = (await loadJob(org, guid)).value;
  if (run !== undefined) {
    const asked = job.runs.find((one) => one.run === run);
    if (asked === undefined) throw new NotFound(`Job ${guid} has no run ${run}`);
    return asked;
  }
  const finished = job.runs.findLast((one) => TERMINAL.has(one.status));
  if (finished === undefined) throw new NotFound(`Job ${guid} has no result yet; its status is ${job.status}`);
  return finished;
}

/** @throws NotFound when there is none, with the job's error when it failed */
export async function findResult(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const served = await servedRun(org, guid, run);
  if (served.resultKey === undefined) {
    const why = served.error === null ? `its status is ${served.status}` : served.error;
    throw new NotFound(`Job ${guid} has no result: ${why}`);
  }
  return { key: served.resultKey, contentType: served.resultType ?? "application/json" };
}

/** @throws NotFound when it was not asked for, or no model was asked and there is no pipeline with nodes to tell of */
export async function findTrace(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const { traceKey } = await servedRun(org, guid, run);
  if (traceKey === undefined) {
    throw new NotFound(`Job ${guid} has no trace; process it with trace: true, and a model or a pipeline`);
  }
  return { key: traceKey, contentType: "application/json" };
}

/** @throws NotFound when they were not asked for, or there are none */
export async function findSourceLocations(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const served = await servedRun(org, guid, run);
  if (!served.sourceLocations) {
    throw new NotFound(`Source locations of job ${guid} were not requested; process it with sourceLocations: true`);
  }
  if (served.sourcesKey === undefined) throw new NotFound(`Job ${guid} has no source locations`);
  return { key: served.sourcesKey, contentType: "application/json" };
}

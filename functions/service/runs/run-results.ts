/** Lookup of the run whose result is served, and of its files. */
import { NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { type RunSummary, TERMINAL_STATUSES } from "./job-records.ts";
import { loadJob } from "./job-store.ts";

/** A stored answer: its blob and media type. */
export interface StoredAnswer {
  key: string;
  contentType: string;
  /** What a page's picture was drawn from, where that is not the document itself. */
  rendered?: "layout" | "office";
}

/**
 * Finds the run whose result is served: the requested run, else the newest finished one.
 * @throws NotFound for an unknown job or run, or when no run has finished
 */
export async function findServedRun(org: Organization, guid: string, run: number | undefined): Promise<RunSummary> {
  const job = (await loadJob(org, guid)).value;
  if (run !== undefined) {
    const requested = job.runs.find((one) => one.run === run);
    if (requested === undefined) throw new NotFound(`Job ${guid} has no run ${run}`);
    return requested;
  }
  const finished = job.runs.findLast((one) => TERMINAL_STATUSES.has(one.status));
  if (finished === undefined) throw new NotFound(`Job ${guid} has no result yet; its status is ${job.status}`);
  return finished;
}

/** Finds the result. @throws NotFound where there is none, with the job's error when it failed */
export async function findResult(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const served = await findServedRun(org, guid, run);
  if (served.resultKey === undefined) {
    const why = served.error === null ? `its status is ${served.status}` : served.error;
    throw new NotFound(`Job ${guid} has no result: ${why}`);
  }
  return { key: served.resultKey, contentType: served.resultType ?? "application/json" };
}

/** Finds the trace. @throws NotFound when it was not requested, or the run extracted no data and asked no model */
export async function findTrace(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const { traceKey } = await findServedRun(org, guid, run);
  if (traceKey === undefined) {
    throw new NotFound(`Job ${guid} has no trace; process it with trace: true and extract data`);
  }
  return { key: traceKey, contentType: "application/json" };
}

/** Finds the source locations. @throws NotFound when they were not requested, or there are none */
export async function findSourceLocations(org: Organization, guid: string, run?: number): Promise<StoredAnswer> {
  const served = await findServedRun(org, guid, run);
  if (!served.sourceLocations) {
    throw new NotFound(`Source locations of job ${guid} were not requested; process it with sourceLocations: true`);
  }
  if (served.sourcesKey === undefined) throw new NotFound(`Job ${guid} has no source locations`);
  return { key: served.sourcesKey, contentType: "application/json" };
}

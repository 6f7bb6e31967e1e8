/** Cancellation: the run is ended in the records first, which blocks its writes; then its execution is stopped. */
import { ConcurrentModification, Conflict, NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { executionName, type JobRecord, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { loadJob, nowIso, updateJob } from "../runs/job-store.ts";
import { enqueueDependents, settleRun } from "./settle-run.ts";

/**
 * Ends a job's open run, or a job that was never processed, as CANCELLED. Later writes of its steps are refused; usage
 * up to then stays recorded.
 * @throws NotFound; Conflict for a job that has already ended
 */
export async function cancelJob(org: Organization, guid: string): Promise<JobRecord> {
  const { openRun: run } = (await loadJob(org, guid)).value;
  if (run === null) return cancelUnstarted(org, guid);
  await settleRun(org, guid, run, undefined, { cancelled: true });
  const job = (await loadJob(org, guid)).value;
  const endedRun = job.runs.find((one) => one.run === run);
  if (endedRun !== undefined && endedRun.status !== "CANCELLED") throw alreadyEnded(endedRun.status);
  try {
    await org.workflows.stop(executionName(guid, run), "Cancelled", "The job was cancelled");
  } catch (error) {
    // The run was waiting, or its start is still to come and will find the run closed.
    if (!(error instanceof NotFound)) throw error;
  }
  return job;
}

async function cancelUnstarted(org: Organization, guid: string): Promise<JobRecord> {
  const job = await updateJob(org, guid, (current) => {
    if (TERMINAL_STATUSES.has(current.status)) throw alreadyEnded(current.status);
    if (current.openRun !== null) throw new ConcurrentModification("the job");
    const { statusVersion } = current;
    return { job: { ...current, status: "CANCELLED", updatedAt: nowIso(org), statusVersion: statusVersion + 1 } };
  });
  await enqueueDependents(org, guid);
  return job;
}

const alreadyEnded = (status: string): Conflict =>
  new Conflict(`The job is ${status} already; there is nothing to cancel`);

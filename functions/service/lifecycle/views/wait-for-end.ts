import type { Organization } from "../../organizations/organization.ts";
import { type JobRecord, TERMINAL_STATUSES } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

/**
 * Waits until a run of the job has ended and none is open, at most for some seconds.
 * @returns the job as last loaded @throws NotFound
 */
export async function waitForEnd(org: Organization, guid: string, seconds: number): Promise<JobRecord> {
  const until = org.engines.clock.now() + seconds * 1000;
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    const job = (await loadJob(org, guid)).value;
    const left = until - org.engines.clock.now();
    if ((job.openRun === null && TERMINAL_STATUSES.has(job.status)) || left <= 0) return job;
    await org.engines.clock.sleep(Math.min(pause, left));
    pause = Math.min(pause * 1.3, MAX_PAUSE_MS);
  }
}

import type { Organization } from "../../organizations/organization.ts";
import { type JobRecord, TERMINAL_STATUSES } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { watchEnd } from "../../runs/run-ends.ts";

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
/** Where ends are told, a call that waits looks this often for what nobody tells, such as the job's deletion. */
const TOLD_PAUSE_MS = 2_000;
/**
 * Calls of one organization that wait at once. Each takes a connection on one machine, and a function in the cloud, of
 * whose 1,000 an account has by default.
 */
export const MAX_WAITING_CALLS = 200;
/** A call beyond them is answered after this time, so that a caller that repeats it at once does so once a second. */
const UNHELD_PAUSE_MS = 1_000;
/** Time after which the place of a call that died is free again, beyond the call's own time. */
const SLOT_GRACE_SECONDS = 10;

const isOver = (job: JobRecord): boolean => job.openRun === null && TERMINAL_STATUSES.has(job.status);

/**
 * Waits until a run of the job has ended and none is open, at most for some seconds; shorter when the organization has
 * too many calls that wait.
 * @returns the job as last loaded @throws NotFound
 */
export async function waitForEnd(org: Organization, guid: string, seconds: number): Promise<JobRecord> {
  const job = (await loadJob(org, guid)).value;
  if (isOver(job) || seconds <= 0) return job;
  const limit = { most: MAX_WAITING_CALLS, seconds: seconds + SLOT_GRACE_SECONDS };
  const slot = await org.slots.take("waiting-calls", limit);
  if (slot === undefined) {
    await org.engines.clock.sleep(Math.min(UNHELD_PAUSE_MS, seconds * 1000));
    return (await loadJob(org, guid)).value;
  }
  try {
    return await lookUntil(org, guid, org.engines.clock.now() + seconds * 1000);
  } finally {
    await slot.release();
  }
}

async function lookUntil(org: Organization, guid: string, until: number): Promise<JobRecord> {
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    // Before the look, so that no end comes unnoticed between the two.
    const watch = watchEnd(org, guid);
    try {
      const job = (await loadJob(org, guid)).value;
      const left = until - org.engines.clock.now();
      if (isOver(job) || left <= 0) return job;
      if (watch === undefined) await org.engines.clock.sleep(Math.min(pause, left));
      else await watch.within(Math.min(TOLD_PAUSE_MS, left));
    } finally {
      watch?.close();
    }
    pause = Math.min(pause * 1.3, MAX_PAUSE_MS);
  }
}

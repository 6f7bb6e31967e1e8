/** Progress of a run for its watchers: a note beside the job's records. No other work depends on it. */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { stepKey } from "./job-records.ts";
import type { StepRun } from "./run-step.ts";

export interface Progress {
  phase: string;
  unit: string;
  done: number;
  total: number;
  failed?: number;
}

interface ProgressRecord extends RecordValue, Progress {
  v: 1;
}

/** Watchers look about once a second. */
const EVERY_MS = 1000;
const KEPT_SECONDS = 3600;

const progressKey = (guid: string, run: number): RecordKey => {
  const { partition, sort } = stepKey(guid, run, "");
  return { partition, sort: sort.replace(/step\/$/, "progress") };
};

/** @returns notes that so many are done, at most once a second; never fails */
export function noteProgress(
  { org, job, run }: StepRun,
  phase: string,
  total: number,
  unit = "page",
): (done: number) => Promise<void> {
  let notedAt = Number.NEGATIVE_INFINITY;
  return async (done) => {
    const now = org.engines.clock.now();
    if (now < notedAt + EVERY_MS) return;
    notedAt = now;
    const value: ProgressRecord = { v: 1, phase, unit, done, total };
    const options = { expiresAt: Math.floor(now / 1000) + KEPT_SECONDS };
    await org.records.put(progressKey(job.guid, run.run), value, options).catch(() => undefined);
  };
}

/** The newest note of a run. */
export async function findProgress(org: Organization, guid: string, run: number): Promise<Progress | undefined> {
  return (await org.records.get<ProgressRecord>(progressKey(guid, run)))?.value;
}

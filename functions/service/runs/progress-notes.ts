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

interface ProgressNote extends RecordValue, Progress {
  v: 1;
}

/** Shortest time between two notes; watchers poll about once a second. */
const NOTE_INTERVAL_MS = 1000;
const NOTE_LIFETIME_SECONDS = 3600;

const progressKey = (guid: string, run: number): RecordKey => {
  const { partition, sort } = stepKey(guid, run, "");
  return { partition, sort: sort.replace(/step\/$/, "progress") };
};

/** @returns a function that records the number of finished units, at most once a second; never fails */
export function noteProgress(
  { org, job, run }: StepRun,
  phase: string,
  total: number,
  unit = "page",
): (done: number) => Promise<void> {
  let notedAt = Number.NEGATIVE_INFINITY;
  return async (done) => {
    const now = org.engines.clock.now();
    if (now < notedAt + NOTE_INTERVAL_MS) return;
    notedAt = now;
    const value: ProgressNote = { v: 1, phase, unit, done, total };
    const options = { expiresAt: Math.floor(now / 1000) + NOTE_LIFETIME_SECONDS };
    await org.records.put(progressKey(job.guid, run.run), value, options).catch(() => undefined);
  };
}

/** Loads the newest progress of a run. */
export async function findProgress(org: Organization, guid: string, run: number): Promise<Progress | undefined> {
  return (await org.records.get<ProgressNote>(progressKey(guid, run)))?.value;
}

/**
 * Retention: jobs that ended longer ago than configured are deleted as by DELETE /job/{guid}; usage stays. A pass goes
 * over organizations, months and jobs in order, and only over jobs made before the limit.
 * Its position is recorded, so that each sweep does a bounded part of it and the next one continues, wherever it runs;
 * repeating a part is harmless.
 */
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { dayOf, isEmptyTally, TALLY_SHARDS, tallyPartition } from "../../ports/job-tally.ts";
import { describeError } from "../../ports/observer.ts";
import { queryAll, type RecordValue } from "../../ports/records.ts";
import { loadOrganizationIds } from "../organizations/known-organizations.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { entryPartition } from "../runs/job-entries.ts";
import { type JobEntry, monthOf, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { deleteJob, finishDeletion } from "./delete-job.ts";

const DAY_MS = 86_400_000;
/** Pause between two passes; expired jobs are deleted within this time. */
const PASS_PAUSE_MS = 3_600_000;
/** Limits of one sweep's part: jobs, and milliseconds. */
const MAX_DELETED_JOBS = 1000;
const MAX_SWEEP_MS = 60_000;
const PAGE_SIZE = 200;

const PASS_KEY = { partition: "sys/retention", sort: "pass" };

interface RetentionPass extends RecordValue {
  v: 1;
  /** Milliseconds since 1970; jobs that ended before are deleted. */
  limit: number;
  /** The organization and the sort of the last checked entry; the pass continues after it. */
  organizationId: number;
  after?: string;
  /** Milliseconds since 1970; start of the next pass, set when this one is complete. */
  nextAt?: number;
}

/** Remaining limits of a sweep's part. */
interface Budget {
  jobs: number;
  until: number;
}

/**
 * Does a part of a pass, or begins one when it is time. @returns the number of deleted jobs
 * @throws AppError of the store; jobs deleted until then stay deleted
 */
export async function sweepRetention(
  platform: Platform,
  system: SystemRecords,
  limits: { jobs: number } = { jobs: MAX_DELETED_JOBS },
): Promise<number> {
  const days = platform.config.retentionDays;
  if (days === null) return 0;
  const now = platform.engines.clock.now();
  const stored = (await system.get<RetentionPass>(PASS_KEY))?.value;
  if (stored?.nextAt !== undefined && now < stored.nextAt) return 0;
  const newPass: RetentionPass = { v: 1, limit: now - days * DAY_MS, organizationId: 0 };
  let pass = stored === undefined || stored.nextAt !== undefined ? newPass : stored;
  const budget: Budget = { jobs: limits.jobs, until: now + MAX_SWEEP_MS };
  let deleted = 0;
  for (const id of await loadOrganizationIds(system)) {
    if (id < pass.organizationId) continue;
    if (id > pass.organizationId) pass = { v: 1, limit: pass.limit, organizationId: id };
    const org = bindOrganization(platform, id);
    const part = await sweepOrganization(org, pass, budget);
    deleted += part.gone;
    pass = part.pass;
    await system.put(PASS_KEY, pass);
    if (isSpent(org, budget)) return deleted;
  }
  await system.put(PASS_KEY, { ...pass, nextAt: platform.engines.clock.now() + PASS_PAUSE_MS });
  return deleted;
}

const isSpent = (org: Organization, budget: Budget): boolean =>
  budget.jobs <= 0 || org.engines.clock.now() >= budget.until;

async function sweepOrganization(
  org: Organization,
  begun: RetentionPass,
  budget: Budget,
): Promise<{ pass: RetentionPass; gone: number }> {
  let pass = begun;
  let deleted = 0;
  for (const month of await monthsUpTo(org, begun.limit)) {
    if (month < monthOf(pass.after ?? "")) continue;
    for (;;) {
      const entries = await entriesAfter(org, month, pass);
      for (const { sort, entry } of entries) {
        if (isSpent(org, budget)) return { pass, gone: deleted };
        if (await deleteExpired(org, entry, pass.limit)) {
          deleted += 1;
          budget.jobs -= 1;
        }
        pass = { ...pass, after: sort };
      }
      if (entries.length < PAGE_SIZE) break;
    }
  }
  return { pass, gone: deleted };
}

/** Finds the months in which jobs were made up to a time. Removes counters of past days that count none. */
async function monthsUpTo(org: Organization, limit: number): Promise<string[]> {
  const months = new Set<string>();
  const last = dayOf(new Date(limit).toISOString());
  for (let shard = 0; shard < TALLY_SHARDS; shard++) {
    const query = { partition: tallyPartition(shard), to: last, limit: PAGE_SIZE };
    for await (const { key, value, version } of queryAll(org.records, query)) {
      if (!isEmptyTally(value)) months.add(monthOf(key.sort));
      // A job that is counted there meanwhile changes the version.
      else if (key.sort < last) await org.records.delete(key, { ifVersion: version }).catch(ignoreRace);
    }
  }
  return [...months].sort();
}

function ignoreRace(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error;
}

/** Loads a page of the month's entries; only jobs made before the limit can have ended before it. */
async function entriesAfter(
  org: Organization,
  month: string,
  { after = "", limit }: RetentionPass,
): Promise<{ sort: string; entry: JobEntry }[]> {
  const to = new Date(Math.max(0, limit)).toISOString();
  // "~" sorts after every sort that begins with the position.
  const from = after === "" ? "0" : `${after}~`;
  if (from > to) return [];
  const query = { partition: entryPartition(month), from, to, limit: PAGE_SIZE };
  const { items } = await org.records.query<JobEntry>(query);
  return items.map(({ key, value }) => ({ sort: key.sort, entry: value }));
}

/** Deletes an expired job. @returns true when it is deleted */
async function deleteExpired(org: Organization, entry: JobEntry, limit: number): Promise<boolean> {
  if (!TERMINAL_STATUSES.has(entry.status) || Date.parse(entry.updatedAt) >= limit) return false;
  try {
    const begun = await deleteJob(org, entry.guid, { endedBefore: limit });
    if (begun) await finishDeletion(org, entry.guid);
    return begun;
  } catch (error) {
    // Deleted or started again meanwhile; or its deletion has begun, and the sweep completes it.
    if (!(error instanceof AppError)) throw error;
    org.observer.log("warn", "job not expired", { organization: org.id, job: entry.guid, ...describeError(error) });
    return false;
  }
}

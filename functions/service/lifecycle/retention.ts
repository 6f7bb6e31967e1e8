/**
 * Retention: jobs that ended longer ago than configured are deleted as by DELETE /job/{guid}; usage stays. A pass goes
 * over organizations, months and jobs in order, and only over jobs made before the limit, by the time in their GUIDs.
 * Its position is recorded, so that each sweep does a bounded part of it and the next one continues, wherever it runs;
 * repeating a part is harmless.
 */
import { AppError } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import type { RecordValue } from "../../ports/records.ts";
import { loadOrganizationIds } from "../organizations/known-organizations.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { type JobEntry, monthKey, monthOf, TERMINAL_STATUSES } from "../runs/job-records.ts";
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
  /** Position of the last checked job; the pass continues after it. */
  organizationId: number;
  month: string;
  guid: string;
  /** Milliseconds since 1970; start of the next pass, set when this one is complete. */
  nextAt?: number;
}

/** The first twelve digits of a GUID, version 7, are its time in milliseconds (RFC 9562, 5.7). */
function guidPrefixOfTime(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
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
  const newPass: RetentionPass = { v: 1, limit: now - days * DAY_MS, organizationId: 0, month: "", guid: "" };
  let pass = stored === undefined || stored.nextAt !== undefined ? newPass : stored;
  const budget: Budget = { jobs: limits.jobs, until: now + MAX_SWEEP_MS };
  let deleted = 0;
  for (const id of await loadOrganizationIds(system)) {
    if (id < pass.organizationId) continue;
    if (id > pass.organizationId) pass = { ...pass, organizationId: id, month: "", guid: "" };
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
  const last = monthOf(new Date(begun.limit).toISOString());
  for (const month of await monthsUpTo(org, last)) {
    if (month < pass.month) continue;
    if (month > pass.month) pass = { ...pass, month, guid: "" };
    for (;;) {
      const entries = await entriesAfter(org, pass);
      for (const entry of entries) {
        if (isSpent(org, budget)) return { pass, gone: deleted };
        if (await deleteExpired(org, entry, pass.limit)) {
          deleted += 1;
          budget.jobs -= 1;
        }
        pass = { ...pass, guid: entry.guid };
      }
      if (entries.length < PAGE_SIZE) break;
    }
    if (month < last) await removeEmptyMonth(org, month);
  }
  return { pass, gone: deleted };
}

async function monthsUpTo(org: Organization, last: string): Promise<string[]> {
  const { items } = await org.records.query({ partition: "jobs", limit: 1000 });
  return items.map(({ key }) => key.sort).filter((month) => month <= last);
}

/** Loads a page of the month's entries; only jobs made before the limit can have ended before it. */
async function entriesAfter(org: Organization, { month, guid, limit }: RetentionPass): Promise<JobEntry[]> {
  const to = guidPrefixOfTime(limit);
  // "~" sorts after every sort that begins with the GUID.
  const from = guid === "" ? "0" : `${guid}~`;
  if (from > to) return [];
  const { items } = await org.records.query<JobEntry>({ partition: `jobs/${month}`, from, to, limit: PAGE_SIZE });
  return items.map(({ value }) => value);
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

/** Removes a month without jobs from the list of months: no job is made in the past. */
async function removeEmptyMonth(org: Organization, month: string): Promise<void> {
  const { items } = await org.records.query({ partition: `jobs/${month}`, limit: 1 });
  if (items.length === 0) await org.records.delete(monthKey(month));
}

/**
 * Retention: jobs that ended longer ago than is configured go, with all that DELETE /job/{guid} takes; usage stays. A
 * pass goes over organizations, months and jobs in order, and only over jobs that were made before the limit, by their
 * GUIDs' time. It keeps its place on record, so that a sweep does a bounded part of it and the next one goes on,
 * wherever it runs; a part done twice is harmless.
 */
import { AppError } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import type { RecordValue } from "../../ports/records.ts";
import { knownOrganizations } from "../organizations/known-organizations.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { type JobEntry, monthKey, monthOf, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { deleteJob, finishDeletion } from "./delete-job.ts";

const DAY_MS = 86_400_000;
/** From the end of a pass to the next one; what has expired goes within this. */
const PAUSE_MS = 3_600_000;
/** Jobs and milliseconds of one sweep's part. */
const MOST_JOBS = 1000;
const LONGEST_MS = 60_000;
const PAGE = 200;

const PASS = { partition: "sys/retention", sort: "pass" };

interface PassRecord extends RecordValue {
  v: 1;
  /** Milliseconds since 1970: what ended before it goes. */
  limit: number;
  /** What was looked at last; the pass goes on behind it. */
  organizationId: number;
  month: string;
  guid: string;
  /** Milliseconds since 1970; set when the pass is over. */
  nextAt?: number;
}

/** The first twelve digits of a GUID, version 7, are its time in milliseconds (RFC 9562, 5.7). */
function guidOfTime(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** What a part of a pass may still do. */
interface Budget {
  jobs: number;
  until: number;
}

/**
 * Does a part of a pass, or begins one when it is time. @returns how many jobs went
 * @throws AppError when the store does; what went is gone all the same
 */
export async function sweepRetention(
  platform: Platform,
  system: SystemRecords,
  most: { jobs: number } = { jobs: MOST_JOBS },
): Promise<number> {
  const days = platform.config.retentionDays;
  if (days === null) return 0;
  const now = platform.engines.clock.now();
  const stored = (await system.get<PassRecord>(PASS))?.value;
  if (stored?.nextAt !== undefined && now < stored.nextAt) return 0;
  const fresh: PassRecord = { v: 1, limit: now - days * DAY_MS, organizationId: 0, month: "", guid: "" };
  let pass = stored === undefined || stored.nextAt !== undefined ? fresh : stored;
  const budget: Budget = { jobs: most.jobs, until: now + LONGEST_MS };
  let gone = 0;
  for (const id of await knownOrganizations(system)) {
    if (id < pass.organizationId) continue;
    if (id > pass.organizationId) pass = { ...pass, organizationId: id, month: "", guid: "" };
    const org = bindOrganization(platform, id);
    const part = await sweepOrganization(org, pass, budget);
    gone += part.gone;
    pass = part.pass;
    await system.put(PASS, pass);
    if (isSpent(org, budget)) return gone;
  }
  await system.put(PASS, { ...pass, nextAt: platform.engines.clock.now() + PAUSE_MS });
  return gone;
}

const isSpent = (org: Organization, budget: Budget): boolean =>
  budget.jobs <= 0 || org.engines.clock.now() >= budget.until;

async function sweepOrganization(
  org: Organization,
  begun: PassRecord,
  budget: Budget,
): Promise<{ pass: PassRecord; gone: number }> {
  let pass = begun;
  let gone = 0;
  const last = monthOf(new Date(begun.limit).toISOString());
  for (const month of await monthsUpTo(org, last)) {
    if (month < pass.month) continue;
    if (month > pass.month) pass = { ...pass, month, guid: "" };
    for (;;) {
      const entries = await entriesAfter(org, pass);
      for (const entry of entries) {
        if (isSpent(org, budget)) return { pass, gone };
        if (await expire(org, entry, pass.limit)) {
          gone += 1;
          budget.jobs -= 1;
        }
        pass = { ...pass, guid: entry.guid };
      }
      if (entries.length < PAGE) break;
    }
    if (month < last) await forgetEmpty(org, month);
  }
  return { pass, gone };
}

async function monthsUpTo(org: Organization, last: string): Promise<string[]> {
  const { items } = await org.records.query({ partition: "jobs", limit: 1000 });
  return items.map(({ key }) => key.sort).filter((month) => month <= last);
}

/** Of the pass's month; only those that were made before its limit can have ended before it. */
async function entriesAfter(org: Organization, { month, guid, limit }: PassRecord): Promise<JobEntry[]> {
  const to = guidOfTime(limit);
  // Behind every sort that begins with it.
  const from = guid === "" ? "0" : `${guid}~`;
  if (from > to) return [];
  const { items } = await org.records.query<JobEntry>({ partition: `jobs/${month}`, from, to, limit: PAGE });
  return items.map(({ value }) => value);
}

/** @returns whether the job goes */
async function expire(org: Organization, entry: JobEntry, limit: number): Promise<boolean> {
  if (!TERMINAL_STATUSES.has(entry.status) || Date.parse(entry.updatedAt) >= limit) return false;
  try {
    const begun = await deleteJob(org, entry.guid, { endedBefore: limit });
    if (begun) await finishDeletion(org, entry.guid);
    return begun;
  } catch (error) {
    // Deleted or started again by somebody else meanwhile; or it is due now, and the sweep ends it.
    if (!(error instanceof AppError)) throw error;
    org.observer.log("warn", "job not expired", { organization: org.id, job: entry.guid, ...describeError(error) });
    return false;
  }
}

/** A month's place in the list of months goes with its last job: none is made in the past. */
async function forgetEmpty(org: Organization, month: string): Promise<void> {
  const { items } = await org.records.query({ partition: `jobs/${month}`, limit: 1 });
  if (items.length === 0) await org.records.delete(monthKey(month));
}

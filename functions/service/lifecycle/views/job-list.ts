/**
 * Listing of jobs. The counters tell the totals and the hour in which a page begins, so that only entries of that page
 * and, for a later page, of that hour are read; then the page's jobs.
 */
import type { Organization } from "../../organizations/organization.ts";
import { hasOldEntries } from "../../runs/job-entries.ts";
import { type JobEntry, type JobRecord, jobKey } from "../../runs/job-records.ts";
import { pickEntries } from "./list-picking.ts";
import { decodeCursor, encodeCursor, type JobFilter, type ListPart } from "./list-positions.ts";
import { scanEntries } from "./list-scanning.ts";

export type { JobFilter } from "./list-positions.ts";

/** Jobs of a page that are loaded at the same time. */
const CONCURRENT_LOADS = 20;

export interface JobPage {
  jobs: JobRecord[];
  totalSize: number;
  page: number;
  size: number;
  nextCursor: string | undefined;
}

/** Lists jobs. @throws BadRequest for an invalid cursor */
export async function listJobs(org: Organization, filter: JobFilter): Promise<JobPage> {
  const after = filter.cursor === undefined ? undefined : decodeCursor(filter.cursor, filter.sort);
  // No counter is in the order of updates: entries are read to find it.
  const isScanned = filter.sort.property === "updatedAt" || (await hasOldEntries(org));
  const part: ListPart = await (isScanned ? scanEntries : pickEntries)(org, filter, after);
  const last = part.entries.at(-1);
  return {
    jobs: await loadJobs(org, part.entries),
    totalSize: part.total,
    page: filter.cursor === undefined ? filter.page : Math.floor(part.start / filter.size),
    size: filter.size,
    nextCursor:
      part.more && last !== undefined ? encodeCursor(last, filter.sort, part.start + part.entries.length) : undefined,
  };
}

/** Loads jobs in the order of their entries; leaves out those deleted meanwhile. */
async function loadJobs(org: Organization, entries: readonly JobEntry[]): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (let first = 0; first < entries.length; first += CONCURRENT_LOADS) {
    const chunk = entries.slice(first, first + CONCURRENT_LOADS);
    const loaded = await Promise.all(chunk.map(({ guid }) => org.records.get<JobRecord>(jobKey(guid))));
    for (const record of loaded) if (record !== undefined && !record.value.deleted) jobs.push(record.value);
  }
  return jobs;
}

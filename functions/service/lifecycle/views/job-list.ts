/** Listing of jobs: small entries by month, newest first; only the jobs of the page are read whole. */
import { BadRequest } from "../../../ports/errors.ts";
import { queryAll } from "../../../ports/records.ts";
import type { Organization } from "../../organizations/organization.ts";
import { type JobEntry, type JobRecord, type JobStatus, jobKey, monthOf } from "../../runs/job-records.ts";

const PAGE_SIZE = 1000;

export interface JobFilter {
  page: number;
  size: number;
  statuses?: readonly JobStatus[];
  /** ISO 8601; both ends included. */
  createdAtFrom?: string;
  createdAtTo?: string;
  sort: { property: "createdAt" | "updatedAt" | "status"; direction: "ASC" | "DESC" };
  /** Position after which the page begins; ranks above `page`. */
  cursor?: string;
}

export interface JobPage {
  jobs: JobRecord[];
  totalSize: number;
  page: number;
  size: number;
  nextCursor: string | undefined;
}

/** Months that have, or had, jobs; newest first. */
async function monthsWithJobs(org: Organization): Promise<string[]> {
  const months: string[] = [];
  const query = { partition: "jobs", descending: true, limit: PAGE_SIZE };
  for await (const { key } of queryAll(org.records, query)) months.push(key.sort);
  return months;
}

async function entriesOf(org: Organization, month: string): Promise<JobEntry[]> {
  const entries: JobEntry[] = [];
  const query = { partition: `jobs/${month}`, descending: true, limit: PAGE_SIZE };
  for await (const { value } of queryAll<JobEntry>(org.records, query)) entries.push(value);
  return entries;
}

/** Lists jobs. @throws BadRequest for an invalid cursor */
export async function listJobs(org: Organization, filter: JobFilter): Promise<JobPage> {
  const found: JobEntry[] = [];
  for (const month of await monthsWithJobs(org)) {
    if (filter.createdAtFrom !== undefined && month < monthOf(filter.createdAtFrom)) continue;
    if (filter.createdAtTo !== undefined && month > monthOf(filter.createdAtTo)) continue;
    for (const entry of await entriesOf(org, month)) if (matches(entry, filter)) found.push(entry);
  }
  const { property, direction } = filter.sort;
  const sign = direction === "ASC" ? 1 : -1;
  const order = (a: ListPosition, b: ListPosition): number =>
    sign * (compare(a[property], b[property]) || compare(a.guid, b.guid));
  found.sort(order);

  const after = filter.cursor === undefined ? undefined : decodeCursor(filter.cursor, filter.sort);
  const next = after === undefined ? filter.page * filter.size : found.findIndex((entry) => order(entry, after) > 0);
  const start = next < 0 ? found.length : next;
  const slice = found.slice(start, start + filter.size);
  const jobs: JobRecord[] = [];
  for (const { guid } of slice) {
    const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
    if (job !== undefined && !job.deleted) jobs.push(job);
  }
  const last = slice.at(-1);
  const more = last !== undefined && start + slice.length < found.length;
  return {
    jobs,
    totalSize: found.length,
    page: filter.cursor === undefined ? filter.page : Math.floor(start / filter.size),
    size: filter.size,
    nextCursor: more ? encodeCursor(last, filter.sort) : undefined,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function matches(entry: JobEntry, filter: JobFilter): boolean {
  if (filter.statuses !== undefined && !filter.statuses.includes(entry.status)) return false;
  if (filter.createdAtFrom !== undefined && entry.createdAt < filter.createdAtFrom) return false;
  return filter.createdAtTo === undefined || entry.createdAt <= filter.createdAtTo;
}

/** The members that a list is sorted by. */
type ListPosition = Pick<JobEntry, "guid" | "createdAt" | "updatedAt" | "status">;

const LIST_START: ListPosition = { guid: "", createdAt: "", updatedAt: "", status: "PENDING" };

/** Encodes a cursor. It names a position, not an entry, so it stays valid when the entry's job is deleted. */
const encodeCursor = (entry: ListPosition, { property, direction }: JobFilter["sort"]): string =>
  Buffer.from(JSON.stringify([property, direction, entry[property], entry.guid])).toString("base64url");

/** Decodes a cursor. @throws BadRequest for a cursor of another order */
function decodeCursor(cursor: string, { property, direction }: JobFilter["sort"]): ListPosition {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === "string")) {
      const [sortedBy, sortDirection, value, guid] = parts as [string, string, string, string];
      if (sortedBy === property && sortDirection === direction) {
        return { ...LIST_START, guid, [property]: value };
      }
    }
  } catch {
    // Not JSON, so not a cursor.
  }
  throw new BadRequest("The cursor is not one of a list in this order; begin again without it");
}

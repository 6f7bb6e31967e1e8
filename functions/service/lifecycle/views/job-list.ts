/** Listing: small entries by month, newest first; only the page's jobs are read whole. */
import { BadRequest } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { type JobEntry, type JobRecord, type JobStatus, jobKey, monthOf } from "../../runs/job-records.ts";

export interface JobFilter {
  page: number;
  size: number;
  statuses?: readonly JobStatus[];
  /** ISO 8601; both ends included. */
  createdAtFrom?: string;
  createdAtTo?: string;
  sort: { property: "createdAt" | "updatedAt" | "status"; direction: "ASC" | "DESC" };
  /** The place after which the page begins; wins over `page`. */
  cursor?: string;
}

export interface JobPage {
  jobs: JobRecord[];
  totalSize: number;
  page: number;
  size: number;
  nextCursor: string | undefined;
}

/** The months that hold jobs or did, newest first. */
async function monthsWithJobs(org: Organization): Promise<string[]> {
  const months: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await org.records.query({
      partition: "jobs",
      descending: true,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { key } of page.items) months.push(key.sort);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return months;
}

async function entriesOf(org: Organization, month: string): Promise<JobEntry[]> {
  const entries: JobEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await org.records.query<JobEntry>({
      partition: `jobs/${month}`,
      descending: true,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { value } of page.items) entries.push(value);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return entries;
}

/** @throws BadRequest for a cursor that is not ours */
export async function listJobs(org: Organization, filter: JobFilter): Promise<JobPage> {
  const found: JobEntry[] = [];
  for (const month of await monthsWithJobs(org)) {
    if (filter.createdAtFrom !== undefined && month < monthOf(filter.createdAtFrom)) continue;
    if (filter.createdAtTo !== undefined && month > monthOf(filter.createdAtTo)) continue;
    for (const entry of await entriesOf(org, month)) if (matches(entry, filter)) found.push(entry);
  }
  const { property, direction } = filter.sort;
  const sign = direction === "ASC" ? 1 : -1;
  const order = (a: Place, b: Place): number => sign * (compare(a[property], b[property]) || compare(a.guid, b.guid));
  found.sort(order);

  const after = filter.cursor === undefined ? undefined : openPlace(filter.cursor, filter.sort);
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
    nextCursor: more ? sealPlace(last, filter.sort) : undefined,
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function matches(entry: JobEntry, filter: JobFilter): boolean {
  if (filter.statuses !== undefined && !filter.statuses.includes(entry.status)) return false;
  if (filter.createdAtFrom !== undefined && entry.createdAt < filter.createdAtFrom) return false;
  return filter.createdAtTo === undefined || entry.createdAt <= filter.createdAtTo;
}

/** What a list is in order of. */
type Place = Pick<JobEntry, "guid" | "createdAt" | "updatedAt" | "status">;

const NOWHERE: Place = { guid: "", createdAt: "", updatedAt: "", status: "PENDING" };

/** A cursor names a place, not an entry: it stays good when the job that it stands at is deleted. */
const sealPlace = (entry: Place, { property, direction }: JobFilter["sort"]): string =>
  Buffer.from(JSON.stringify([property, direction, entry[property], entry.guid])).toString("base64url");

/** @throws BadRequest for what no list of this order gave */
function openPlace(cursor: string, { property, direction }: JobFilter["sort"]): Place {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === "string")) {
      const [sortedBy, way, value, guid] = parts as [string, string, string, string];
      if (sortedBy === property && way === direction) {
        return { ...NOWHERE, guid, [property]: value };
      }
    }
  } catch {
    // No JSON, so none of ours.
  }
  throw new BadRequest("The cursor is not one of a list in this order; begin again without it");
}

/** A page of the job list by the counters: hours before it are skipped unread. */
import { hourOf, type StatusCounts } from "../../../ports/job-tally.ts";
import { queryAll, type RecordQuery } from "../../../ports/records.ts";
import type { Organization } from "../../organizations/organization.ts";
import { entryPartition } from "../../runs/job-entries.ts";
import { JOB_STATUSES, type JobEntry, type JobStatus, monthOf } from "../../runs/job-records.ts";
import { type JobFilter, type ListPart, matches, orderOf, type PagePosition } from "./list-positions.ts";
import { loadHours } from "./list-tally.ts";

/** Entries read at a time where some of them do not match. */
const MIXED_PAGE_SIZE = 250;
const MAX_PAGE_SIZE = 1000;
/** Sorts after every entry of the time that it follows. */
const AFTER_ALL = "~";

/** Consecutive entries of the list: those of an hour with some of the statuses. */
interface Stretch {
  hour: string;
  statuses: readonly JobStatus[];
  /** Number of matching entries. */
  count: number;
  /** Times of the first and last entry, ISO 8601 or a beginning of it. */
  from: string;
  to: string;
  /** Every entry in between matches. */
  isPure: boolean;
}

const sumOf = (counts: StatusCounts, statuses: readonly JobStatus[]): number =>
  statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);

/** Statuses that are listed together, group by group: sorted by status, each is a list of its own. */
function statusGroups({ sort, statuses = JOB_STATUSES }: JobFilter): JobStatus[][] {
  const wanted = JOB_STATUSES.filter((status) => statuses.includes(status));
  if (sort.property !== "status") return [wanted];
  const groups = wanted.sort().map((status) => [status]);
  return sort.direction === "ASC" ? groups : groups.reverse();
}

/** The whole list as stretches. Entries are read only where the filter's times cut an hour. */
async function stretchesOf(org: Organization, filter: JobFilter): Promise<Stretch[]> {
  const { createdAtFrom = "", createdAtTo = AFTER_ALL } = filter;
  const hours = await loadHours(org, filter);
  const ordered = [...hours].filter(([hour]) => hour + AFTER_ALL >= createdAtFrom && hour <= createdAtTo);
  ordered.sort(([a], [b]) => (a < b ? -1 : 1));
  if (filter.sort.direction === "DESC") ordered.reverse();
  const cut = new Set([createdAtFrom, createdAtTo].map(hourOf));
  const stretches: Stretch[] = [];
  for (const statuses of statusGroups(filter)) {
    for (const [hour, counts] of ordered) {
      const count = sumOf(counts, statuses);
      if (count === 0) continue;
      const isPure = count === sumOf(counts, JOB_STATUSES);
      const from = createdAtFrom > hour ? createdAtFrom : hour;
      const to = hourOf(createdAtTo) === hour ? createdAtTo : hour;
      const stretch = { hour, statuses, count, from, to, isPure };
      stretches.push(cut.has(hour) ? { ...stretch, count: await countEntries(org, filter, stretch) } : stretch);
    }
  }
  return stretches.filter(({ count }) => count > 0);
}

async function countEntries(org: Organization, filter: JobFilter, stretch: Stretch): Promise<number> {
  let count = 0;
  for await (const _ of entriesOf(org, filter, [stretch], {})) count += 1;
  return count;
}

/** Bounds of a reading within its stretches. */
interface Reading {
  /** Entries that the reader takes. */
  wanted?: number;
  /** Position after which it begins. */
  after?: PagePosition["position"] | undefined;
  /** Begins at the end. */
  backwards?: boolean;
}

/** Matching entries of stretches of one month, in the order of the list. */
async function* entriesOf(
  org: Organization,
  filter: JobFilter,
  stretches: readonly Stretch[],
  { wanted = MAX_PAGE_SIZE, after, backwards = false }: Reading,
): AsyncGenerator<JobEntry> {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) return;
  const descending = (filter.sort.direction === "DESC") !== backwards;
  const [lowest, highest] = first.hour <= last.hour ? [first, last] : [last, first];
  const bounds = { from: lowest.from, to: highest.to + AFTER_ALL };
  // Groups of other statuses follow the position's as a whole.
  if (after !== undefined && (filter.sort.property !== "status" || first.statuses[0] === after.status)) {
    const place = `${after.createdAt}/${after.guid}`;
    if (filter.sort.direction === "DESC" && place < bounds.to) bounds.to = place;
    if (filter.sort.direction === "ASC" && place > bounds.from) bounds.from = place;
  }
  if (bounds.from > bounds.to) return;
  const isPure = stretches.every((stretch) => stretch.isPure);
  const limit = Math.min(MAX_PAGE_SIZE, isPure ? wanted : Math.max(wanted, MIXED_PAGE_SIZE));
  const query: RecordQuery = { partition: entryPartition(monthOf(first.hour)), ...bounds, descending, limit };
  const order = orderOf(filter.sort);
  for await (const { value } of queryAll<JobEntry>(org.records, query)) {
    const isAfter = after === undefined || order(value, after) > 0;
    if (isAfter && first.statuses.includes(value.status) && matches(value, filter)) yield value;
  }
}

/** The stretches from one on that are read as one: of its month and statuses, without unmatching hours in between. */
function stretchesFrom(stretches: readonly Stretch[], at: number, needed: number): Stretch[] {
  const first = stretches[at];
  const taken: Stretch[] = [];
  let count = 0;
  for (const stretch of stretches.slice(at)) {
    const together = stretch.statuses === first?.statuses && monthOf(stretch.hour) === monthOf(first.hour);
    if (!together || (taken.length > 0 && !(stretch.isPure && first.isPure)) || count >= needed) break;
    taken.push(stretch);
    count += stretch.count;
  }
  return taken;
}

const countOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { count }) => sum + count, 0);

/** Reads a page by the counters. */
export async function pickEntries(
  org: Organization,
  filter: JobFilter,
  after: PagePosition | undefined,
): Promise<ListPart> {
  const stretches = await stretchesOf(org, filter);
  const total = countOf(stretches);
  const start = after === undefined ? filter.page * filter.size : after.rank;
  // One more tells if others follow.
  const found = await readFrom(org, filter, stretches, placeOf(filter, stretches, after));
  return { entries: found.slice(0, filter.size), total, start, more: found.length > filter.size };
}

/** A place in the stretches: the stretch, and the number of its entries to skip, or the position that they follow. */
interface Place {
  at: number;
  skip: number;
  after?: PagePosition["position"];
}

function placeOf(filter: JobFilter, stretches: readonly Stretch[], after: PagePosition | undefined): Place {
  if (after === undefined) {
    let skip = filter.page * filter.size;
    const at = stretches.findIndex(({ count }) => {
      if (skip < count) return true;
      skip -= count;
      return false;
    });
    return { at: at < 0 ? stretches.length : at, skip };
  }
  const { position } = after;
  const order = orderOf(filter.sort);
  // Hours before the position's own are behind it.
  const at = stretches.findIndex(({ hour, statuses }) => {
    const ends = { ...position, createdAt: hour, guid: "" };
    const begun = { ...position, createdAt: hourOf(position.createdAt), guid: "" };
    if (filter.sort.property === "status") ends.status = statuses[0] ?? ends.status;
    return order(ends, begun) >= 0;
  });
  return { at: at < 0 ? stretches.length : at, skip: 0, after: position };
}

async function readFrom(
  org: Organization,
  filter: JobFilter,
  stretches: readonly Stretch[],
  place: Place,
): Promise<JobEntry[]> {
  const found: JobEntry[] = [];
  const needed = filter.size + 1;
  let { at, skip } = place;
  while (at < stretches.length && found.length < needed) {
    const part = stretchesFrom(stretches, at, skip + needed - found.length);
    found.push(...(await readPart(org, filter, part, { skip, take: needed - found.length, after: place.after })));
    at += part.length;
    skip = 0;
  }
  return found;
}

/** Reads entries of stretches, from the end that is nearer. */
async function readPart(
  org: Organization,
  filter: JobFilter,
  part: readonly Stretch[],
  { skip, take, after }: { skip: number; take: number; after: PagePosition["position"] | undefined },
): Promise<JobEntry[]> {
  const count = countOf(part);
  const behind = Math.max(0, count - skip - take);
  const backwards = after === undefined && behind < skip;
  const [passed, wanted] = backwards ? [behind, Math.min(take, count - skip)] : [skip, take];
  const found: JobEntry[] = [];
  let seen = 0;
  for await (const entry of entriesOf(org, filter, part, { wanted: passed + wanted, after, backwards })) {
    seen += 1;
    if (seen > passed) found.push(entry);
    if (found.length === wanted) break;
  }
  return backwards ? found.reverse() : found;
}

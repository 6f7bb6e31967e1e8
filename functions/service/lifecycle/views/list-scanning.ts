/** The job list from all entries: for orders without counters, and while entries of an earlier release have none. */
import { queryAll } from "../../../ports/records.ts";
import type { Organization } from "../../organizations/organization.ts";
import { entryPartition, oldEntryPartitions } from "../../runs/job-entries.ts";
import { type JobEntry, monthOf } from "../../runs/job-records.ts";
import { type JobFilter, type ListPart, matches, orderOf, type PagePosition } from "./list-positions.ts";
import { loadHours } from "./list-tally.ts";
import { sortInTurns } from "./sort-in-turns.ts";

const PAGE_SIZE = 1000;

/** Partitions of the entries that may match; those of an earlier release last. */
async function partitionsOf(org: Organization, filter: JobFilter): Promise<string[]> {
  const hours = await loadHours(org, filter);
  const old = await oldEntryPartitions(org);
  return [...new Set([...hours.keys()].map((hour) => entryPartition(monthOf(hour)))), ...old];
}

export async function scanEntries(
  org: Organization,
  filter: JobFilter,
  after: PagePosition | undefined,
): Promise<ListPart> {
  const found = new Map<string, JobEntry>();
  for (const partition of await partitionsOf(org, filter)) {
    for await (const { value } of queryAll<JobEntry>(org.records, { partition, limit: PAGE_SIZE })) {
      if (matches(value, filter)) found.set(value.guid, value);
    }
  }
  const order = orderOf(filter.sort);
  const sorted = await sortInTurns([...found.values()], order);
  const next =
    after === undefined ? filter.page * filter.size : sorted.findIndex((entry) => order(entry, after.position) > 0);
  const start = next < 0 ? sorted.length : next;
  const entries = sorted.slice(start, start + filter.size);
  return { entries, total: sorted.length, start, more: start + entries.length < sorted.length };
}

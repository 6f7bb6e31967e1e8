/** The counters of listed jobs, by hour. */
import { addTally, dayOf, type StatusCounts, TALLY_SHARDS, tallyPartition } from "../../../ports/job-tally.ts";
import { queryAll } from "../../../ports/records.ts";
import type { Organization } from "../../organizations/organization.ts";
import type { JobFilter } from "./list-positions.ts";

const PAGE_SIZE = 1000;

/** Loads the counts of all hours of the filter's days. @returns by `yyyy-mm-ddThh`, unordered */
export async function loadHours(
  org: Organization,
  { createdAtFrom, createdAtTo }: Pick<JobFilter, "createdAtFrom" | "createdAtTo">,
): Promise<Map<string, StatusCounts>> {
  const hours = new Map<string, StatusCounts>();
  const bounds = {
    ...(createdAtFrom === undefined ? {} : { from: dayOf(createdAtFrom) }),
    ...(createdAtTo === undefined ? {} : { to: dayOf(createdAtTo) }),
  };
  const readShard = async (shard: number): Promise<void> => {
    const query = { partition: tallyPartition(shard), limit: PAGE_SIZE, ...bounds };
    for await (const { key, value } of queryAll(org.records, query)) addTally(hours, key.sort, value);
  };
  await Promise.all(Array.from({ length: TALLY_SHARDS }, (_, shard) => readShard(shard)));
  return hours;
}

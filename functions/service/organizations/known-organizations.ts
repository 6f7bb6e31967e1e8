import { queryAll } from "../../ports/records.ts";
import type { SystemRecords } from "./organization-records.ts";

const PARTITION = "sys/organizations";

/** Records organizations permanently: their data outlives their last key. */
export async function recordOrganizations(system: SystemRecords, ids: Iterable<number>): Promise<void> {
  for (const id of new Set(ids)) {
    const key = { partition: PARTITION, sort: String(id) };
    if ((await system.get(key)) === undefined) await system.put(key, { v: 1 });
  }
}

/** Loads the ids of all recorded organizations, ascending. */
export async function loadOrganizationIds(system: SystemRecords): Promise<number[]> {
  const ids: number[] = [];
  for await (const { key } of queryAll(system, { partition: PARTITION, limit: 1000 })) ids.push(Number(key.sort));
  return ids.sort((a, b) => a - b);
}

import { queryAll } from "../../ports/records.ts";
import type { SystemRecords } from "./organization-records.ts";

const PARTITION = "sys/organizations";

/** Remembers organizations for good, also when their last key is gone: their data are still there. */
export async function noteOrganizations(system: SystemRecords, ids: Iterable<number>): Promise<void> {
  for (const id of new Set(ids)) {
    const key = { partition: PARTITION, sort: String(id) };
    if ((await system.get(key)) === undefined) await system.put(key, { v: 1 });
  }
}

/** Their ids, ascending. */
export async function knownOrganizations(system: SystemRecords): Promise<number[]> {
  const ids: number[] = [];
  for await (const { key } of queryAll(system, { partition: PARTITION, limit: 1000 })) ids.push(Number(key.sort));
  return ids.sort((a, b) => a - b);
}

import { ConditionFailed } from "../../ports/errors.ts";
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

export const isKnownOrganization = async (system: SystemRecords, id: number): Promise<boolean> =>
  (await system.get({ partition: PARTITION, sort: String(id) })) !== undefined;

/** Records an organization that is not there yet. @returns false when it is */
export async function addOrganization(system: SystemRecords, id: number): Promise<boolean> {
  try {
    await system.put({ partition: PARTITION, sort: String(id) }, { v: 1 }, { condition: { ifAbsent: true } });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Loads the ids of all recorded organizations, ascending. */
export async function loadOrganizationIds(system: SystemRecords): Promise<number[]> {
  const ids: number[] = [];
  for await (const { key } of queryAll(system, { partition: PARTITION, limit: 1000 })) ids.push(Number(key.sort));
  return ids.sort((a, b) => a - b);
}

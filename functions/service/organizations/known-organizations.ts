/** The list of all organizations (partition `sys/organizations`), for work that visits each of them. */
import type { RecordValue } from "../../ports/records.ts";
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
  let cursor: string | undefined;
  do {
    const page = await system.query<RecordValue>({
      partition: PARTITION,
      limit: 1000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.items.map(({ key }) => Number(key.sort)));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids.sort((a, b) => a - b);
}

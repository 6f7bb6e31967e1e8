/** Carries the job lists of an earlier release over, of every organization; a part of them with each sweep. */
import { loadOrganizationIds } from "../organizations/known-organizations.ts";
import { bindOrganization, type Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { carryEntries } from "../runs/job-entries.ts";

/** Time limit of a sweep's part, beside 150 s for due work and 60 s for retention of the 280 s of its function. */
const MAX_CARRY_MS = 40_000;

/** @returns the number of entries carried over; 0 once all are */
export async function carryLists(platform: Platform, system: SystemRecords): Promise<number> {
  const until = platform.engines.clock.now() + MAX_CARRY_MS;
  let carried = 0;
  for (const id of await loadOrganizationIds(system)) {
    const part = await carryEntries(bindOrganization(platform, id), until);
    if (part > 0) platform.observer.log("info", "job list carried over", { organization: id, jobs: part });
    carried += part;
  }
  return carried;
}

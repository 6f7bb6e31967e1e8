/**
 * Runs every 5 minutes: synchronises the API keys with the secret, then settles due work, then removes expired data;
 * each
 * within its time.
 */

import { describeError } from "../../../functions/ports/observer.ts";
import { carryLists } from "../../../functions/service/lifecycle/carry-lists.ts";
import { sweepRetention } from "../../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../../functions/service/lifecycle/sweep.ts";
import { sweepMachines } from "../../../functions/service/lifecycle/unused-machines.ts";
import { systemRecords } from "../../../functions/service/organizations/organization-records.ts";
import { lazily } from "../environment.ts";
import { openKeys } from "../keys.ts";
import { runStarts, workQueue } from "../parts.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  return { keys: openKeys(stores), platform: openPlatform(stores, { ...runStarts, queue: workQueue }) };
});

/** @returns the number of due items acted on, of expired jobs, and of unused machines removed */
export const handler = async (): Promise<{ acted: number; expired: number; removed: number }> => {
  const { keys, platform } = parts();
  // An unusable secret must not keep runs open.
  await keys.synchronise().catch((error: unknown) => {
    platform.observer.log("error", "API keys not synchronised", describeError(error));
  });
  const system = systemRecords(platform.records);
  const acted = await sweep(platform, system);
  await carryLists(platform, system);
  const expired = await sweepRetention(platform, system);
  return { acted, expired, removed: await sweepMachines(platform, system) };
};

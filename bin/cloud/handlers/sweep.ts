/**
 * Runs every 5 minutes: synchronises the API keys with the secret, then settles due work, then removes expired data;
 * each
 * within its time.
 */

import { describeError } from "../../../functions/ports/observer.ts";
import { carryLists } from "../../../functions/service/lifecycle/carry-lists.ts";
import { sweepRetention } from "../../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../../functions/service/lifecycle/sweep.ts";
import { sweepUnmadeJobs } from "../../../functions/service/lifecycle/unmade-jobs.ts";
import { sweepMachines } from "../../../functions/service/lifecycle/unused-machines.ts";
import { systemRecords } from "../../../functions/service/organizations/organization-records.ts";
import { lazily } from "../environment.ts";
import { openKeys } from "../keys.ts";
import { runStarts, workQueue } from "../parts.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  const platform = openPlatform(stores, { ...runStarts, queue: workQueue });
  return { keys: openKeys(stores), platform, observer: stores.observer };
});

/** Numbers of due items acted on, of expired jobs, and of unused machines removed. */
interface Swept {
  acted: number;
  expired: number;
  removed: number;
}

async function sweepAll(): Promise<Swept> {
  const { keys, platform } = parts();
  // An unusable secret must not keep runs open.
  await keys.synchronise().catch((error: unknown) => {
    platform.observer.log("error", "API keys not synchronised", describeError(error));
  });
  const system = systemRecords(platform.records);
  const acted = await sweep(platform, system);
  await carryLists(platform, system);
  const expired = await sweepRetention(platform, system);
  await sweepUnmadeJobs(platform, system);
  return { acted, expired, removed: await sweepMachines(platform, system) };
}

export const handler = async (): Promise<Swept> => parts().observer.duringInvocation(sweepAll);

/** Every 5 minutes: the API keys as the secret says, then due work, then what is kept no longer; each in its time. */

import { describeError } from "../../../functions/ports/observer.ts";
import { sweepRetention } from "../../../functions/service/lifecycle/retention.ts";
import { sweep } from "../../../functions/service/lifecycle/sweep.ts";
import { sweepMachines } from "../../../functions/service/lifecycle/unused-machines.ts";
import { systemRecords } from "../../../functions/service/organizations/organization-records.ts";
import { lazily } from "../environment.ts";
import { openKeys } from "../keys.ts";
import { stepFunctions, workQueue } from "../parts.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  return { keys: openKeys(stores), platform: openPlatform(stores, { workflows: stepFunctions, queue: workQueue }) };
});

/** @returns how many pieces of due work were acted on, how many jobs had their time, and how many machines nobody used */
export const handler = async (): Promise<{ acted: number; expired: number; removed: number }> => {
  const { keys, platform } = parts();
  // A secret that cannot be used must not keep runs open.
  await keys.synchronise().catch((error: unknown) => {
    platform.observer.log("error", "API keys not synchronised", describeError(error));
  });
  const system = systemRecords(platform.records);
  const acted = await sweep(platform, system);
  const expired = await sweepRetention(platform, system);
  return { acted, expired, removed: await sweepMachines(platform, system) };
};

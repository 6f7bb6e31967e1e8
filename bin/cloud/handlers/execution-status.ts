/** Settles the run of a failed execution, unless its own machine did. */
import { endedExecution } from "../../../functions/adapters/aws/execution-status.ts";
import { settleDeadExecution } from "../../../functions/service/lifecycle/sweep.ts";
import { lazily } from "../environment.ts";
import { runOpenings, workQueue } from "../parts.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  return { platform: openPlatform(stores, { ...runOpenings, queue: workQueue }), observer: stores.observer };
});

export const handler = async (event: unknown): Promise<void> => {
  const { platform, observer } = parts();
  await observer.duringInvocation(async () => {
    const execution = await endedExecution(event, platform.workflows);
    if (execution !== undefined) await settleDeadExecution(platform, execution);
  });
};

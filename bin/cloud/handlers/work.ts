/** Processes the messages of the work queue. */
import { stepFunctionsClient } from "../../../functions/adapters/aws/clients.ts";
import { workOffBatch } from "../../../functions/adapters/aws/queue-event.ts";
import { openTaskTokens } from "../../../functions/adapters/aws/task-tokens.ts";
import { describeError } from "../../../functions/ports/observer.ts";
import { WORK_QUEUE } from "../../../functions/ports/queue.ts";
import { processMessage } from "../../../functions/service/lifecycle/dispatch.ts";
import { runEstimates } from "../../../functions/service/runs/estimate-run.ts";
import { lazily } from "../environment.ts";
import { outbound } from "../outbound.ts";
import { inspectingTemplateEngine, runStarts, slots, vault, workQueue } from "../parts.ts";
import { passages } from "../passages.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  const tokens = openTaskTokens({ client: stepFunctionsClient(), clock: stores.clock });
  return {
    platform: openPlatform(stores, {
      documents: inspectingTemplateEngine,
      estimates: runEstimates,
      queue: workQueue,
      slots,
      ...runStarts,
      vault,
      outbound,
      passages,
    }),
    tokens,
    observer: stores.observer,
  };
});

export const handler = (event: unknown) => {
  const { platform, tokens, observer } = parts();
  return observer.duringInvocation(() =>
    workOffBatch(event, {
      queue: WORK_QUEUE,
      retry: (message, seconds) => platform.queue.retry(message, seconds),
      work: async (message) => {
        await processMessage(platform, message, { tokens });
      },
      onError: (error) => observer.log("warn", "work not given back", describeError(error)),
    }),
  );
};

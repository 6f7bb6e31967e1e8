/** Sends webhooks: the messages of a queue of their own, so that receivers' servers hold up no other work. */
import { workOffBatch } from "../../../functions/adapters/aws/queue-event.ts";
import { describeError } from "../../../functions/ports/observer.ts";
import { WEBHOOK_QUEUE } from "../../../functions/ports/queue.ts";
import { processMessage } from "../../../functions/service/lifecycle/dispatch.ts";
import { webhookWork } from "../../../functions/service/webhooks/webhook-work.ts";
import { lazily } from "../environment.ts";
import { outbound } from "../outbound.ts";
import { slots, vault, workQueue } from "../parts.ts";
import { openPlatform, openStores } from "../platform.ts";

const parts = lazily(() => {
  const stores = openStores(process.env);
  return { platform: openPlatform(stores, { queue: workQueue, slots, vault, outbound }), observer: stores.observer };
});

export const handler = (event: unknown) => {
  const { platform, observer } = parts();
  return observer.duringInvocation(() =>
    workOffBatch(event, {
      queue: WEBHOOK_QUEUE,
      retry: (message, seconds) => platform.queue.retry(message, seconds),
      work: async (message) => {
        await processMessage(platform, message, { handlers: webhookWork });
      },
      onError: (error) => observer.log("warn", "webhook not given back", describeError(error)),
    }),
  );
};

/** Processes the queues of work and webhooks of a platform in memory while a test watches. */
import { type QueueMessage, WEBHOOK_QUEUE, WORK_QUEUE } from "../../functions/ports/queue.ts";
import { processMessage } from "../../functions/service/lifecycle/dispatch.ts";
import type { TestPlatform } from "./platform.ts";

/** Processes all visible messages. @returns the messages, in order @throws the error of any work */
export async function processMessages({ platform }: TestPlatform): Promise<QueueMessage[]> {
  const done: QueueMessage[] = [];
  for (;;) {
    const [message = (await platform.queue.receive(WEBHOOK_QUEUE))[0]] = await platform.queue.receive(WORK_QUEUE);
    if (message === undefined) return done;
    await processMessage(platform, message);
    await platform.queue.done(message);
    done.push(message);
  }
}

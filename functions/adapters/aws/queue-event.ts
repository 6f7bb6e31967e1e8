/**
 * The messages that Lambda takes from a queue and hands to a function, and what the function says of them: the ones it
 * names are delivered again, the others are done.
 * Format: "Example Amazon SQS message event" and "Implementing partial batch responses", AWS Lambda Developer Guide.
 */
import * as z from "zod";
import { BadRequest } from "../../ports/errors.ts";
import { type QueueMessage, retryDelaySeconds, type WorkQueue } from "../../ports/queue.ts";
import { bodyOf, receiptOf } from "./queue.ts";

const queueEvent = z.object({
  Records: z.array(
    z.object({
      messageId: z.string(),
      receiptHandle: z.string(),
      body: z.string(),
      attributes: z.object({ ApproximateReceiveCount: z.coerce.number().int() }),
    }),
  ),
});

export interface BatchOptions {
  /** The queue's name as the service knows it. */
  queue: string;
  /** Of the driver: makes a message that failed visible again before the queue would by itself. */
  retry: WorkQueue["retry"];
  /**
   * While a message is worked on, it is hidden for so many seconds at a time, again and again: a worker that dies keeps it
   * no longer. Without, it is hidden for the queue's own time, which Lambda wants to be that of the whole function.
   */
  holdSeconds?: number;
  /** Throws for what is to be delivered again. */
  work: (message: QueueMessage) => Promise<void>;
  /** Told what `retry` throws; the message then waits for the queue's own time. */
  onError: (error: unknown) => void;
}

export interface BatchAnswer {
  batchItemFailures: { itemIdentifier: string }[];
}

/** Renewals within the time that a message is hidden for: two may be lost. */
const RENEWALS = 3;

/** Hides a message from others until it is let go. @returns what lets it go */
async function hold(message: QueueMessage, { holdSeconds, retry, onError }: BatchOptions): Promise<() => void> {
  if (holdSeconds === undefined) return () => undefined;
  const hide = (): Promise<void> => retry(message, holdSeconds).catch(onError);
  await hide();
  const timer = setInterval(hide, (holdSeconds * 1000) / RENEWALS);
  return () => clearInterval(timer);
}

/** Works on all messages of an event at once. @throws BadRequest for an event that is none of a queue's */
export async function workOffBatch(event: unknown, options: BatchOptions): Promise<BatchAnswer> {
  const { queue, retry, work, onError } = options;
  const parsed = queueEvent.safeParse(event);
  if (!parsed.success) throw new BadRequest("This is no event of a queue.", { cause: parsed.error });
  const failed = await Promise.all(
    parsed.data.Records.map(async ({ messageId: id, receiptHandle, body, attributes }) => {
      const receives = attributes.ApproximateReceiveCount;
      const message: QueueMessage = { id, queue, body: bodyOf(body), receives, receipt: receiptOf(receiptHandle) };
      const letGo = await hold(message, options);
      try {
        await work(message).finally(letGo);
        return [];
      } catch {
        await retry(message, retryDelaySeconds(receives)).catch(onError);
        return [{ itemIdentifier: id }];
      }
    }),
  );
  return { batchItemFailures: failed.flat() };
}

/**
 * The SQS messages that Lambda hands to a function, and the function's answer: messages it names are delivered again,
 * all
 * others are done.
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
  /** The queue's name in the service. */
  queue: string;
  /** The driver's `retry`: makes a failed message visible before its visibility timeout ends. */
  retry: WorkQueue["retry"];
  /**
   * Seconds of each visibility extension while a message is worked on, so that a dead worker does not hold it longer.
   * Default: the queue's own visibility timeout, which Lambda requires to cover the whole function.
   */
  holdSeconds?: number;
  /** Throws to have the message delivered again. */
  work: (message: QueueMessage) => Promise<void>;
  /** Called with errors of `retry`; the message then waits for the queue's visibility timeout. */
  onError: (error: unknown) => void;
}

export interface BatchAnswer {
  batchItemFailures: { itemIdentifier: string }[];
}

/** Extensions per hold time: two may be lost. */
const RENEWALS_PER_HOLD = 3;

/** Extends a message's invisibility until released. @returns the release function */
async function keepInvisible(
  message: QueueMessage,
  { holdSeconds, retry, onError }: BatchOptions,
): Promise<() => void> {
  if (holdSeconds === undefined) return () => undefined;
  const hide = (): Promise<void> => retry(message, holdSeconds).catch(onError);
  await hide();
  const timer = setInterval(hide, (holdSeconds * 1000) / RENEWALS_PER_HOLD);
  return () => clearInterval(timer);
}

/** Works on all messages of an event concurrently. @throws BadRequest for an event that is not from a queue */
export async function workOffBatch(event: unknown, options: BatchOptions): Promise<BatchAnswer> {
  const { queue, retry, work, onError } = options;
  const parsed = queueEvent.safeParse(event);
  if (!parsed.success) throw new BadRequest("This is no event of a queue.", { cause: parsed.error });
  const failed = await Promise.all(
    parsed.data.Records.map(async ({ messageId: id, receiptHandle, body, attributes }) => {
      const receives = attributes.ApproximateReceiveCount;
      const message: QueueMessage = { id, queue, body: bodyOf(body), receives, receipt: receiptOf(receiptHandle) };
      const letGo = await keepInvisible(message, options);
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

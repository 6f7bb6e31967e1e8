/** The work queue. Drivers: Records on one machine, SQS on AWS. */
import type { Json } from "./json.ts";

export interface QueueMessage {
  id: string;
  queue: string;
  body: Json;
  /** How often it was received, this time included. */
  receives: number;
  /** Names this delivery; another delivery of the same message has another. */
  receipt: string;
}

/** At-least-once delivery. A message received 5 times (see `maxReceives`) and not done goes to the dead letters. */
export interface WorkQueue {
  /** Body ≤ 256 KB of JSON. Within 5 minutes, the same `deduplicationId` again is one message. */
  send(
    queue: string,
    body: Json,
    options?: { delaySeconds?: number; deduplicationId?: string },
  ): Promise<{ id: string }>;
  /** Received messages are invisible for `visibilitySeconds` (default 30), then delivered again. */
  receive(
    queue: string,
    options?: { max?: number; visibilitySeconds?: number; waitSeconds?: number },
  ): Promise<QueueMessage[]>;
  /** Done for good. A receipt that is no longer the message's newest does nothing. */
  done(message: QueueMessage): Promise<void>;
  /** Gives it back, visible after `delaySeconds`. */
  retry(message: QueueMessage, delaySeconds: number): Promise<void>;
  deadLetters(queue: string): Promise<QueueMessage[]>;
}

/** The one queue of all work, by the name that the drivers know it by. */
export const WORK_QUEUE = "work";

/** The queues of pipelines' nodes, by the tier of the model that they ask. */
export const NODE_QUEUES = {
  nano: "nodes-nano",
  mini: "nodes-mini",
  default: "nodes-default",
  high: "nodes-high",
} as const;

/** Deliveries of a piece of work. What fails at its last one is a dead letter. */
export const MAX_RECEIVES = 5;

/** Seconds until a delivery that failed is followed by the next: 5, 20, 80, 320; after the last one, none. */
export const retryDelaySeconds = (receives: number): number =>
  receives >= MAX_RECEIVES ? 0 : 5 * 4 ** (Math.max(1, receives) - 1);

/** The work queue. Drivers: Records on one machine, SQS on AWS. */
import type { Json } from "./json.ts";

export interface QueueMessage {
  id: string;
  queue: string;
  body: Json;
  /** Number of times it was received, this time included. */
  receives: number;
  /** Id of this delivery; another delivery of the same message has another. */
  receipt: string;
}

export interface SendOptions {
  delaySeconds?: number;
  /** Within 5 minutes, sends with the same id are one message. */
  deduplicationId?: string;
  /**
   * Opaque fairness key, of 1 to 128 letters, digits, hyphens or underscores. The groups of a queue are received in
   * turns, so that the messages of one do not wait behind the many of another.
   */
  group?: string;
}

/** At-least-once delivery. A message received MAX_RECEIVES times and not done goes to the dead letters. */
export interface WorkQueue {
  /** Body ≤ 256 KB of JSON. @throws BadRequest for an invalid name of a queue or group */
  send(queue: string, body: Json, options?: SendOptions): Promise<{ id: string }>;
  /** Received messages are invisible for `visibilitySeconds` (default 30), then delivered again. */
  receive(
    queue: string,
    options?: { max?: number; visibilitySeconds?: number; waitSeconds?: number },
  ): Promise<QueueMessage[]>;
  /** Removes a message. A receipt that is no longer the message's newest does nothing. */
  done(message: QueueMessage): Promise<void>;
  /** Returns a message to the queue, visible after `delaySeconds`. */
  retry(message: QueueMessage, delaySeconds: number): Promise<void>;
  deadLetters(queue: string): Promise<QueueMessage[]>;
}

/** Name of the queue of background work. */
export const WORK_QUEUE = "work";

/** Name of the queue of webhook deliveries, which wait for others' servers. */
export const WEBHOOK_QUEUE = "webhooks";

/** Queue names of pipeline nodes, by the tier of their model. */
export const NODE_QUEUES = {
  nano: "nodes-nano",
  mini: "nodes-mini",
  default: "nodes-default",
  high: "nodes-high",
} as const;

/** Longest delay of a message, in seconds: SQS takes no longer one. */
export const MAX_QUEUE_DELAY_SECONDS = 900;

/** Most deliveries of a message. Work that fails at its last one is a dead letter. */
export const MAX_RECEIVES = 5;

/** Seconds from a failed delivery to the next: 5, 20, 80, 320; 0 after the last one. */
export const retryDelaySeconds = (receives: number): number =>
  receives >= MAX_RECEIVES ? 0 : 5 * 4 ** (Math.max(1, receives) - 1);

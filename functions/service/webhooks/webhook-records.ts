/**
 * Records of webhooks. Partition `settings` holds the organization's address with its secrets. Partition `webhook`
 * holds one record for each event, with its body and its delivery attempts, for 14 days. A pending event also has a due
 * record.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { JobStatus } from "../runs/job-records.ts";

/** A stored secret. */
export interface StoredSecret {
  sealed: string;
  createdAt: string;
  /** ISO 8601; set once it is rotated. */
  expiresAt: string | null;
}

export interface WebhookSettings extends RecordValue {
  v: 1;
  url: string;
  /** Newest first; two during a rotation. */
  secrets: StoredSecret[];
  /** Set when the receiver failed for days: nothing is sent until the address is set again. */
  disabled?: DisabledNote;
}

/** Why a webhook is disabled. Times are ISO 8601. */
export interface DisabledNote {
  at: string;
  /** The first failure since the last delivery. */
  failingSince: string;
  reason: string;
}

/** Failures of an organization's receiver since its last delivery. */
export interface ReceiverFailures extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  since: number;
  last: number;
}

export type DeliveryStatus = "PENDING" | "DELIVERED" | "FAILED";

/** One attempt: the receiver's status, or the reason why there was none. */
export interface Attempt {
  at: string;
  /** HTTP status; null: no answer. */
  status: number | null;
  error: string | null;
  milliseconds: number;
}

export interface Delivery extends RecordValue {
  v: 1;
  /** The `webhook-id`, the same in every attempt. */
  id: string;
  type: string;
  guid: string;
  run: number;
  createdAt: string;
  /** The body, exactly as signed and sent. */
  payload: string;
  status: DeliveryStatus;
  /** Oldest first; at most MAX_ATTEMPTS of them are kept. */
  attempts: Attempt[];
  /** ISO 8601; null when there is no further attempt. */
  nextTryAt: string | null;
}

export const MAX_KEPT_ATTEMPTS = 24;
export const DELIVERY_LIFETIME_SECONDS = 14 * 24 * 3600;

/** The due record of an event: the sweep finds it when its message is lost, or its wait is longer than the queue's. */
export interface DueDelivery extends RecordValue {
  v: 1;
  kind: "webhook";
  organizationId: number;
  /** The job's GUID. */
  guid: string;
  event: string;
  /** Attempts so far. */
  tries: number;
  /** Milliseconds since 1970; during an attempt, the time at which it counts as dead. */
  dueAt: number;
  /** Time of the last enqueueing, milliseconds since 1970; null: it is not on the queue. */
  handedOver: number | null;
}

/** Pause of an organization's receiver that left an event unanswered. */
export interface ReceiverPause extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  until: number;
}

/** Deliveries of one organization at once: enough for thousands of events an hour at a receiver that answers well. */
export const MAX_CONCURRENT_DELIVERIES = 4;

export const failuresKey: RecordKey = { partition: "settings", sort: "webhook-failures" };
export const pauseKey: RecordKey = { partition: "settings", sort: "webhook-pause" };
export const settingsKey: RecordKey = { partition: "settings", sort: "webhook" };
export const DELIVERIES_PARTITION = "webhook";
export const deliveryKey = (event: string): RecordKey => ({ partition: DELIVERIES_PARTITION, sort: event });
/** Form of an event's id. */
export const EVENT_ID_PATTERN = /^msg_[0-9a-f-]{36}$/;
export const deliveryDue = (event: string): string => `webhook/${event}`;

/** `job.completed`, `job.failed`, `job.partial`, `job.cancelled`. */
export const eventType = (status: JobStatus): string => `job.${status.toLowerCase()}`;

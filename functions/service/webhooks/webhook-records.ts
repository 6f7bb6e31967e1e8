/**
 * Records of webhooks. Partition `settings` holds the organization's address with its secrets. Partition `webhook`
 * holds one record for each event, with its body and its delivery attempts, for 14 days. A pending event also has a due
 * record.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { JobStatus } from "../runs/job-records.ts";

/** A secret as it is stored. */
export interface StoredSecret {
  sealed: string;
  createdAt: string;
  /** ISO 8601, once it is on its way out. */
  expiresAt: string | null;
}

export interface WebhookSettings extends RecordValue {
  v: 1;
  url: string;
  /** Newest first; a second one only during a rotation. */
  secrets: StoredSecret[];
}

export type DeliveryStatus = "PENDING" | "DELIVERED" | "FAILED";

/** One try: the receiver's status, or the sentence that says why there was none. */
export interface Attempt {
  at: string;
  /** Null: no answer. */
  status: number | null;
  error: string | null;
  milliseconds: number;
}

export interface Delivery extends RecordValue {
  v: 1;
  /** The `webhook-id`, the same in every try. */
  id: string;
  type: string;
  guid: string;
  run: number;
  createdAt: string;
  /** The body, byte by byte what is signed and sent. */
  payload: string;
  status: DeliveryStatus;
  /** Oldest first; at most MAX_ATTEMPTS of them are kept. */
  attempts: Attempt[];
  /** ISO 8601; null when there is to be none. */
  nextTryAt: string | null;
}

export const MAX_ATTEMPTS = 24;
export const KEEP_SECONDS = 14 * 24 * 3600;

/** An event that is to be delivered: found by the sweep when its message is lost, and when its wait is long. */
export interface DueDelivery extends RecordValue {
  v: 1;
  kind: "webhook";
  organizationId: number;
  /** The job's. */
  guid: string;
  event: string;
  /** Tries behind it. */
  tries: number;
  /** Milliseconds since 1970. While a try is under way, when that is taken for dead. */
  dueAt: number;
  /** When it was last put on the queue; null: it is not there. */
  handedOver: number | null;
}

/** Nothing is sent to an organization's receiver until then, as it left an event unanswered. */
export interface Pause extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  until: number;
}

export const pauseKey: RecordKey = { partition: "settings", sort: "webhook-pause" };
export const settingsKey: RecordKey = { partition: "settings", sort: "webhook" };
export const DELIVERIES = "webhook";
export const deliveryKey = (event: string): RecordKey => ({ partition: DELIVERIES, sort: event });
/** What an event's id looks like. */
export const EVENT_ID = /^msg_[0-9a-f-]{36}$/;
export const deliveryDue = (event: string): string => `webhook/${event}`;

/** `job.completed`, `job.failed`, `job.partial`, `job.cancelled`. */
export const eventType = (status: JobStatus): string => `job.${status.toLowerCase()}`;

/** The records of API keys, under `sys/`: authentication finds a key before it knows its organization. */
import { createHmac, type KeyObject } from "node:crypto";
import type { RecordKey, RecordValue } from "../../ports/records.ts";

export const SCOPES = ["read", "write", "billing", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyRecord extends RecordValue {
  v: 1;
  organizationId: number;
  /** HMAC-SHA-256 of the key under the server key, in hexadecimal digits; the key itself is not stored. */
  hash: string;
  /** Absent in keys of the environment. */
  name?: string;
  scopes: Scope[];
  /** `environment`: from SHEAF_API_KEYS, removed at a start without it there. */
  managedBy: "environment" | "api";
  /** ISO 8601, as all times of this record. */
  createdAt: string;
  revokedAt?: string;
  expiresAt?: string;
}

/** The day on which a key was last used, UTC: `2026-01-31`. */
export interface KeyUse extends RecordValue {
  v: 1;
  organizationId: number;
  day: string;
}

export const KEYS_PARTITION = "sys/keys";
export const keyRecordKey = (id: string): RecordKey => ({ partition: KEYS_PARTITION, sort: id });

/** An organization's keys: an entry for each, and the day of its last use. Sorts have one of the prefixes. */
export const keysPartition = (organizationId: number): string => `sys/organization-keys/${organizationId}`;
export const ENTRY_PREFIX = "key/";
export const USE_PREFIX = "use/";
export const keyEntry = (organizationId: number, id: string): RecordKey => ({
  partition: keysPartition(organizationId),
  sort: ENTRY_PREFIX + id,
});
export const keyUse = (organizationId: number, id: string): RecordKey => ({
  partition: keysPartition(organizationId),
  sort: USE_PREFIX + id,
});

export const keyHash = (serverKey: KeyObject, key: string): Buffer =>
  createHmac("sha256", serverKey).update(key, "utf8").digest();

/** @param time ISO 8601; absent: never @param now milliseconds since 1970 */
export const isPast = (time: string | undefined, now: number): boolean => time !== undefined && Date.parse(time) <= now;

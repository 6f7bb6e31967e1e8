/**
 * Entries of the audit: who changed what, when and from which address; never content. The entries of a day are one
 * partition of their organization, so that neither another organization nor a day before slows their writing. An entry
 * is put once, under a name that nothing else has; nothing changes or deletes it before its time is over.
 */
import type { RecordKey, RecordOperation, RecordValue } from "../../ports/records.ts";

/** An entry as the API shows it. */
export interface AuditEntry {
  /** ISO 8601: when the request was answered. */
  at: string;
  /** The id of the caller's key; `payments` for an event of the payment provider, `operator` for the command line. */
  keyId: string;
  /** `ADMIN` for a command of the operator's command line. */
  method: string;
  /** The route's path with its placeholders, or the command. */
  path: string;
  /** The ids in the request's path, or the id of what it made. */
  resource: string | null;
  /** The IP address of the peer, or the one that the gateway saw; null for a command. */
  address: string | null;
  /** HTTP status of the answer; null for a command. */
  status: number | null;
  /** The answer was that of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
}

export type AuditRecord = RecordValue & AuditEntry;

/** Who did what, without time and outcome. */
export type AuditFacts = Omit<AuditEntry, "at">;

/** The operator, as the caller of commands. */
export const OPERATOR = "operator";
/** The payment provider, as the caller of its events. */
export const PAYMENTS = "payments";

const DAY_SECONDS = 86_400;
/** Most characters of a resource: ids and names are shorter, and a made-up path fills no record. */
const MAX_RESOURCE_CHARACTERS = 300;

/** @param time ISO 8601 */
export const auditPartition = (time: string): string => `audit/${time.slice(0, 10)}`;

/** How long entries are kept. */
export interface AuditTime {
  /** Milliseconds since 1970. */
  now: number;
  /** Unique among the entries of its millisecond. */
  guid: string;
  /** Days; null: for good. */
  auditDays: number | null;
}

/** The operation that appends an entry to an organization's own records. */
export function auditOperation(facts: AuditFacts, { now, guid, auditDays }: AuditTime): PutOperation {
  const at = new Date(now).toISOString();
  const resource = facts.resource === null ? null : facts.resource.slice(0, MAX_RESOURCE_CHARACTERS);
  const value: AuditRecord = { v: 1, at, ...facts, resource };
  const key: RecordKey = { partition: auditPartition(at), sort: `${at}/${guid}` };
  const lasting = auditDays === null ? {} : { expiresAt: Math.ceil(now / 1000) + auditDays * DAY_SECONDS };
  return { kind: "put", key, value, condition: { ifAbsent: true }, ...lasting };
}

type PutOperation = Extract<RecordOperation, { kind: "put" }>;

/** The facts of a command of the operator's. */
export const commandFacts = (command: string, resource: string | null): AuditFacts => ({
  keyId: OPERATOR,
  method: "ADMIN",
  path: command,
  resource,
  address: null,
  status: null,
  replayed: false,
});

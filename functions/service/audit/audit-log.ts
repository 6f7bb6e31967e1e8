/** Appends entries to an organization's audit, and reads them newest first. */

import type { Clock } from "../../ports/clock.ts";
import { BadRequest } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgRecords } from "../organizations/organization-records.ts";
import { type AuditEntry, type AuditFacts, type AuditRecord, auditOperation, auditPartition } from "./audit-records.ts";

/** An organization's audit. */
export interface Audited {
  records: OrgRecords;
  clock: Pick<Clock, "now" | "guid">;
  /** Days that entries are kept; null: for good. */
  auditDays: number | null;
}

export const auditOf = ({ records, engines: { clock }, config: { auditDays } }: Organization): Audited => ({
  records,
  clock,
  auditDays,
});

/** Appends an entry; resolves when it is written. */
export async function appendEntry({ records, clock, auditDays }: Audited, facts: AuditFacts): Promise<void> {
  const { key, value, expiresAt } = auditOperation(facts, { now: clock.now(), guid: clock.guid(), auditDays });
  await records.put(key, value, {
    condition: { ifAbsent: true },
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
}

/** The entries asked for. Times are ISO 8601 and included. */
export interface AuditQuery {
  from?: string | undefined;
  to?: string | undefined;
  /** `nextCursor` of the page before, of the same query. */
  cursor?: string | undefined;
  /** Most entries of the page. */
  limit: number;
}

export interface AuditPage {
  entries: AuditEntry[];
  /** Null on the last page. A page without entries may have one: its days had none. */
  nextCursor: string | null;
}

const DAY_MS = 86_400_000;
/** Days that one page looks at: each is a query of its own, of about 5 ms in the cloud. */
const MAX_DAYS_OF_PAGE = 31;
/** Days that are looked at without `from`, where entries are kept for good. */
const MAX_DAYS = 3_650;
/** The end of a day before any entry of the next one; sorts of entries begin with their time. */
const endOfDay = (day: string): string => `${day}T~`;
const CURSOR_PATTERN = /^\d{4}-\d\d-\d\dT(~|\d\d:\d\d:\d\d\.\d{3}Z\/[0-9a-f-]{36})$/;

const cursorOf = (sort: string): string => Buffer.from(sort).toString("base64url");

/** The sort below which the page begins. @throws BadRequest */
function sortOf(cursor: string): string {
  const sort = Buffer.from(cursor, "base64url").toString("utf8");
  if (CURSOR_PATTERN.test(sort)) return sort;
  throw new BadRequest("cursor must be the nextCursor of the page before");
}

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
const dayOf = (sort: string): string => sort.slice(0, 10);
const endOfDayBefore = (sort: string): string => endOfDay(dayOf(isoOf(Date.parse(dayOf(sort)) - DAY_MS)));

const viewOf = ({ at, keyId, method, path, resource, address, status, replayed }: AuditRecord): AuditEntry => ({
  at,
  keyId,
  method,
  path,
  resource,
  address,
  status,
  replayed,
});

/** The next days to look at, newest first, each as the sort that its entries do not exceed. */
function nextDays(upTo: string, first: string, most: number): string[] {
  const days: string[] = [];
  for (let next = upTo; days.length < most && dayOf(next) >= dayOf(first); next = endOfDayBefore(next)) days.push(next);
  return days;
}

/** A page of entries, newest first. Entries that are appended meanwhile move no other to another page. @throws BadRequest */
export async function listEntries(
  { records, clock, auditDays }: Audited,
  { from, to, cursor, limit }: AuditQuery,
): Promise<AuditPage> {
  const now = clock.now();
  const kept = isoOf(now - (auditDays ?? MAX_DAYS) * DAY_MS);
  // The clock of another machine may be ahead.
  const latest = isoOf(now + DAY_MS);
  const first = from === undefined || from < kept ? kept : from;
  const below = cursor === undefined ? undefined : sortOf(cursor);
  const load = (upTo: string) =>
    records.query<AuditRecord>({
      partition: auditPartition(upTo),
      from: first.startsWith(dayOf(upTo)) ? first : dayOf(upTo),
      to: upTo,
      descending: true,
      // One more tells that there is a next page; the entry at the cursor was on the page before.
      limit: limit - entries.length + 2,
    });
  let upTo = below ?? `${to === undefined || to > latest ? latest : to}/~`;
  const entries: AuditEntry[] = [];
  let lastSort = "";
  // After days without entries there are often more: twice as many are looked at together.
  let together = 1;
  for (let looked = 0; looked < MAX_DAYS_OF_PAGE; ) {
    const days = nextDays(upTo, first, Math.min(together, MAX_DAYS_OF_PAGE - looked));
    const found = (await Promise.all(days.map(load))).flatMap(({ items }) => items);
    for (const { key, value } of found) {
      if (key.sort === below) continue;
      if (entries.length === limit) return { entries, nextCursor: cursorOf(lastSort) };
      entries.push(viewOf(value));
      lastSort = key.sort;
    }
    const [oldest] = days.slice(-1);
    if (oldest === undefined) return { entries, nextCursor: null };
    upTo = endOfDayBefore(oldest);
    looked += days.length;
    together = found.length === 0 ? 2 * together : 1;
  }
  return { entries, nextCursor: cursorOf(upTo) };
}

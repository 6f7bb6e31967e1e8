/** Filters, orders and cursors of the job list. */
import { BadRequest } from "../../../ports/errors.ts";
import type { JobEntry, JobStatus } from "../../runs/job-records.ts";

export interface JobFilter {
  page: number;
  size: number;
  statuses?: readonly JobStatus[];
  /** ISO 8601, UTC, with milliseconds; both ends included. */
  createdAtFrom?: string;
  createdAtTo?: string;
  sort: { property: "createdAt" | "updatedAt" | "status"; direction: "ASC" | "DESC" };
  /** Position after which the page begins; ranks above `page`. */
  cursor?: string;
}

/** The members that a list is sorted by. */
export type ListPosition = Pick<JobEntry, "guid" | "createdAt" | "updatedAt" | "status">;

/** A position, and the number of jobs up to it when its page was made. */
export interface PagePosition {
  position: ListPosition;
  rank: number;
}

/** Entries of a page, and their place in the whole list. */
export interface ListPart {
  entries: JobEntry[];
  total: number;
  /** Number of jobs before the page. */
  start: number;
  /** Jobs follow the page. */
  more: boolean;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of a list: by the property, then by the time a job was made, then by its GUID. */
export function orderOf({ property, direction }: JobFilter["sort"]): (a: ListPosition, b: ListPosition) => number {
  const sign = direction === "ASC" ? 1 : -1;
  return (a, b) =>
    sign * (compare(a[property], b[property]) || compare(a.createdAt, b.createdAt) || compare(a.guid, b.guid));
}

export function matches(entry: JobEntry, filter: JobFilter): boolean {
  if (filter.statuses !== undefined && !filter.statuses.includes(entry.status)) return false;
  if (filter.createdAtFrom !== undefined && entry.createdAt < filter.createdAtFrom) return false;
  return filter.createdAtTo === undefined || entry.createdAt <= filter.createdAtTo;
}

const LIST_START: ListPosition = { guid: "", createdAt: "", updatedAt: "", status: "PENDING" };

/**
 * Encodes a cursor. It names a position, not an entry, so it stays valid when the entry's job is deleted.
 * @param rank number of jobs up to the position
 */
export const encodeCursor = (
  { guid, createdAt, ...entry }: ListPosition,
  { property, direction }: JobFilter["sort"],
  rank: number,
): string => {
  const value = property === "createdAt" ? createdAt : entry[property];
  return Buffer.from(JSON.stringify([property, direction, value, guid, createdAt, rank])).toString("base64url");
};

/** Decodes a cursor. @throws BadRequest for a cursor of another order */
export function decodeCursor(cursor: string, { property, direction }: JobFilter["sort"]): PagePosition {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(parts) && parts.length === 6) {
      const [sortedBy, sortDirection, value, guid, createdAt, rank] = parts as unknown[];
      const isWhole = typeof value === "string" && typeof guid === "string" && typeof createdAt === "string";
      if (sortedBy === property && sortDirection === direction && isWhole && isRank(rank)) {
        return { position: { ...LIST_START, guid, createdAt, [property]: value }, rank };
      }
    }
  } catch {
    // Not JSON, so not a cursor.
  }
  throw new BadRequest("The cursor is not one of a list in this order; begin again without it");
}

const isRank = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * Counters of listed jobs: how many were made in an hour and have a status. One record counts a day, in several shards,
 * so that jobs that change at the same time rarely wait for each other's counter.
 */
import type { RecordKey, RecordValue } from "./records.ts";

/** Enough for tens of changes a second of one organization in DynamoDB; few enough to be read with every list. */
export const TALLY_SHARDS = 8;

/** `yyyy-mm-ddThh` */
const HOUR_LENGTH = 13;
/** `yyyy-mm-dd` */
const DAY_LENGTH = 10;

/** Short, as a record has a member for each hour and status, and DynamoDB charges by the KB. */
const STATUS_LETTERS = {
  PENDING: "N",
  PROCESSING: "R",
  COMPLETED: "C",
  FAILED: "F",
  PARTIAL: "P",
  CANCELLED: "X",
} as const;

type Status = keyof typeof STATUS_LETTERS;
const STATUSES = Object.keys(STATUS_LETTERS) as Status[];

/** What decides where a job is counted. */
export interface TalliedJob {
  guid: string;
  status: Status;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/** Numbers of jobs by status. */
export type StatusCounts = Partial<Record<Status, number>>;

export const tallyPartition = (shard: number): string => `job-tally/${shard}`;

/** `yyyy-mm-ddThh` of a time in ISO 8601, UTC. */
export const hourOf = (iso: string): string => iso.slice(0, HOUR_LENGTH);
/** `yyyy-mm-dd` of a time in ISO 8601, UTC. */
export const dayOf = (iso: string): string => iso.slice(0, DAY_LENGTH);

/** The record and the member that count a job. */
export function tallyPlace({ guid, status, createdAt }: TalliedJob): { key: RecordKey; member: string } {
  // The end of a GUID is random.
  const shard = (Number.parseInt(guid.slice(-4), 16) || 0) % TALLY_SHARDS;
  return {
    key: { partition: tallyPartition(shard), sort: dayOf(createdAt) },
    member: createdAt.slice(DAY_LENGTH + 1, HOUR_LENGTH) + STATUS_LETTERS[status],
  };
}

/** Adds the counts of a day's record to those of its hours. */
export function addTally(hours: Map<string, StatusCounts>, day: string, value: RecordValue): void {
  for (const status of STATUSES) {
    const letter = STATUS_LETTERS[status];
    for (let hour = 0; hour < 24; hour++) {
      const digits = String(hour).padStart(2, "0");
      const count = value[digits + letter];
      if (typeof count !== "number" || count === 0) continue;
      const counts = hours.get(`${day}T${digits}`) ?? {};
      counts[status] = (counts[status] ?? 0) + count;
      hours.set(`${day}T${digits}`, counts);
    }
  }
}

/** True when a day's record counts no job. */
export const isEmptyTally = ({ v: _, ...counts }: RecordValue): boolean =>
  Object.values(counts).every((count) => count === 0);

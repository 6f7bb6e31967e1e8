/**
 * A record as a DynamoDB item: the value as JSON text, and attributes for conditions beside it.
 *
 * `numbers` holds, as DynamoDB numbers, the members of the value that were added to since the last put. They override
 * the
 * same members of the JSON text, which keeps the order of members. So DynamoDB does an increment in one request, and
 * concurrent increments do not conflict.
 */
import { randomBytes } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { RecordKey, RecordValue, StoredRecord } from "../../ports/records.ts";
import { RECORDS_TABLE } from "./table.ts";

export const ATTRIBUTE = {
  partition: RECORDS_TABLE.partitionKey.name,
  sort: RECORDS_TABLE.sortKey.name,
  expiry: RECORDS_TABLE.timeToLiveAttribute,
  value: "value",
  version: "version",
  numbers: "numbers",
  /** Random mark of the last write; lets a writer recognise its own write, or the one that it read. */
  mark: "mark",
} as const;

export type Item = Record<string, AttributeValue>;

/** A record that was read, with the facts that its next write needs. */
export interface SeenRecord {
  record: StoredRecord;
  numbers: ReadonlyMap<string, number>;
  mark: string;
}

export const itemKey = (key: RecordKey): Item => ({
  [ATTRIBUTE.partition]: { S: key.partition },
  [ATTRIBUTE.sort]: { S: key.sort },
});

export const versionOf = (item: Item): number => Number(item[ATTRIBUTE.version]?.N);
export const markOf = (item: Item): string | undefined => item[ATTRIBUTE.mark]?.S;

/** 96 random bits, unique per write. */
export const newMark = (): string => randomBytes(12).toString("base64url");

/** Parses an item, expired ones included. Trusts its content, because only this driver writes the table. */
export function seenRecord(item: Item): SeenRecord {
  const expiry = item[ATTRIBUTE.expiry]?.N;
  const numbers = new Map(
    Object.entries(item[ATTRIBUTE.numbers]?.M ?? {}).map(([name, number]) => [name, Number(number.N)]),
  );
  const value = JSON.parse(item[ATTRIBUTE.value]?.S ?? "") as RecordValue;
  return {
    record: {
      key: { partition: item[ATTRIBUTE.partition]?.S ?? "", sort: item[ATTRIBUTE.sort]?.S ?? "" },
      value: numbers.size === 0 ? value : { ...value, ...Object.fromEntries(numbers) },
      version: versionOf(item),
      ...(expiry === undefined ? {} : { expiresAt: Number(expiry) }),
    },
    numbers,
    mark: markOf(item) ?? "",
  };
}

/** @param now Unix seconds @returns undefined for an absent or expired item */
export function liveRecord(item: Item | undefined, now: number): SeenRecord | undefined {
  const seen = item && seenRecord(item);
  return seen?.record.expiresAt !== undefined && seen.record.expiresAt <= now ? undefined : seen;
}

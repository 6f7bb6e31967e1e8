/**
 * A record as an item of the table: the value as JSON text, and beside it what conditions look at.
 *
 * `numbers` holds, as DynamoDB numbers, the members of the value that were added to since the last put. They stand
 * above the same members of the JSON text, which keeps everybody's place. So an increment is one request that DynamoDB
 * does by itself, and increments at the same time do not get into each other's way.
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
  /** The random mark of the last write: who finds the mark of its own write, or of the one it read, knows more. */
  mark: "mark",
} as const;

export type Item = Record<string, AttributeValue>;

/** A record that was read, and what the next write of it needs to know. */
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

/** 96 random bits: no two writes have the same mark. */
export const newMark = (): string => randomBytes(12).toString("base64url");

/** What an item says, also when it has expired. Only this driver writes the table, so the item is not doubted. */
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

/** @param now Unix seconds @returns undefined for what is absent or has expired */
export function liveRecord(item: Item | undefined, now: number): SeenRecord | undefined {
  const seen = item && seenRecord(item);
  return seen?.record.expiresAt !== undefined && seen.record.expiresAt <= now ? undefined : seen;
}

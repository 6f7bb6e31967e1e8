/** Translates a query of one partition to DynamoDB's. */
import { QueryCommand, type QueryCommandInput } from "@aws-sdk/client-dynamodb";
import { BadRequest } from "../../ports/errors.ts";
import type { RecordPage, RecordQuery, RecordValue, StoredRecord } from "../../ports/records.ts";
import { openCursor, sealCursor } from "../cursor.ts";
import { DEFAULT_PAGE_ITEMS, MAX_SORT_BYTES } from "../records-limits.ts";
import { identityOf } from "../records-query.ts";
import { type Pauses, plainCall } from "./records-calls.ts";
import { ATTRIBUTE, itemKey, liveRecord } from "./records-items.ts";
import type { Store } from "./records-transact.ts";
import { notExpired, Placeholders } from "./records-writes.ts";

/** Byte order of sort keys, as in DynamoDB. */
const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** True when the bounds are empty or reversed, which DynamoDB refuses. */
const isEmpty = ({ from, to }: RecordQuery): boolean => to !== undefined && (to === "" || compare(from ?? "", to) > 0);

/** DynamoDB refuses a start outside the query's bounds; only a tampered cursor has one. */
function positionIn(query: RecordQuery, cursor: string): string {
  const position = openCursor(identityOf(query), cursor);
  const { prefix = "", from = "", to } = query;
  const inside =
    position.startsWith(prefix) && compare(position, from) >= 0 && (to === undefined || compare(position, to) <= 0);
  if (!inside || Buffer.byteLength(position) > MAX_SORT_BYTES) {
    throw new BadRequest("The cursor does not belong to this listing; start again without it");
  }
  return position;
}

function keyCondition(to: Placeholders, { partition, prefix, from, to: last }: RecordQuery): string {
  const ofPartition = `${to.name(ATTRIBUTE.partition)} = ${to.text(partition)}`;
  // An empty bound means no bound, and DynamoDB refuses it.
  if (!prefix && !from && last === undefined) return ofPartition;
  const sort = to.name(ATTRIBUTE.sort);
  if (prefix) return `${ofPartition} AND begins_with(${sort}, ${to.text(prefix)})`;
  if (!from) return `${ofPartition} AND ${sort} <= ${to.text(last ?? "")}`;
  if (last === undefined) return `${ofPartition} AND ${sort} >= ${to.text(from)}`;
  return `${ofPartition} AND ${sort} BETWEEN ${to.text(from)} AND ${to.text(last)}`;
}

function requestOf(table: string, query: RecordQuery, now: number): QueryCommandInput {
  const to = new Placeholders();
  return {
    TableName: table,
    ConsistentRead: true,
    ScanIndexForward: query.descending !== true,
    KeyConditionExpression: keyCondition(to, query),
    FilterExpression: notExpired(to, now),
    ...to.members(),
  };
}

/** Least items of a further request, so that expired items do not take a request each. */
const MIN_REQUEST_ITEMS = 50;

/**
 * DynamoDB ends a page after 1 MB or `Limit` items, expired ones included; so one page may take several requests.
 * @param query already checked @throws BadRequest for a cursor of another query
 */
export async function queryPage<T extends RecordValue>(
  { client, table, now }: Store,
  query: RecordQuery,
  pauses: Pauses,
): Promise<RecordPage<T>> {
  const { cursor, prefix = "", limit = DEFAULT_PAGE_ITEMS } = query;
  let start = cursor === undefined ? undefined : itemKey({ ...query, sort: positionIn(query, cursor) });
  if (isEmpty(query)) return { items: [] };
  const seconds = now();
  const request = requestOf(table, query, seconds);
  const found: StoredRecord<T>[] = [];
  // Request one record more to learn whether another page follows.
  let missing = limit + 1;
  let least = 1;
  do {
    const Limit = Math.max(missing, least);
    least = MIN_REQUEST_ITEMS;
    const command = new QueryCommand({
      ...request,
      Limit,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    const answer = await plainCall(() => client.send(command), pauses);
    for (const item of answer.Items ?? []) {
      const seen = liveRecord(item, seconds);
      // dynoxide 1.2 matches prefixes without regard to case; DynamoDB does not.
      if (seen?.record.key.sort.startsWith(prefix)) found.push(seen.record as StoredRecord<T>);
    }
    missing = limit + 1 - found.length;
    start = answer.LastEvaluatedKey;
  } while (missing > 0 && start !== undefined);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  if (missing > 0 || last === undefined) return { items };
  return { items, cursor: sealCursor(identityOf(query), last.key.sort) };
}

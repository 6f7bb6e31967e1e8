/** Records of a moment: the table's past as another table, and its records copied to a deployment's own table. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import {
  BatchWriteItemCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { Conflict, ServiceUnavailable, UnprocessableEntity } from "../../../ports/errors.ts";
import { ATTRIBUTE, type Item } from "../records-items.ts";

/** DynamoDB takes this many items in one request. */
const BATCH_ITEMS = 25;
/** A restored table is there after minutes, a large one after hours. */
const MAX_RESTORE_MS = 24 * 3_600_000;
const POLL_MS = 10_000;
const MAX_ATTEMPTS = 10;

/** Name machines and messages of the deployment that wrote them, which another deployment does not have. */
const BOUND_PARTITIONS = /^sys\/(executions|machine-uses|machine-uses-pass|queue)(\/|$)/;
/** Sweeps act on these, so they come last, when everything that they name is there. */
const DUE_PARTITIONS = /^sys\/due\//;

type Sleep = (milliseconds: number) => Promise<void>;

const partitionOf = (item: Item): string => item[ATTRIBUTE.partition]?.S ?? "";

/** All items of a table. */
export async function* scanItems(client: DynamoDBClient, table: string): AsyncGenerator<Item> {
  let start: Item | undefined;
  do {
    const command = new ScanCommand({
      TableName: table,
      ConsistentRead: true,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    yield* Items;
    start = LastEvaluatedKey;
  } while (start !== undefined);
}

/**
 * All items of an export: lines of `{"Item": …}` in DynamoDB's JSON, as ExportTableToPointInTime writes them.
 * @param file ends in .gz when it is compressed @throws UnprocessableEntity for another file
 */
export async function* exportedItems(file: string): AsyncGenerator<Item> {
  const bytes = createReadStream(file);
  const input = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== "") yield parseLine(line, file);
  }
}

function parseLine(line: string, file: string): Item {
  try {
    const { Item: item } = JSON.parse(line) as { Item?: Item };
    if (item !== undefined && partitionOf(item) !== "") return item;
  } catch {
    // The sentence below says it.
  }
  throw new UnprocessableEntity(`${file} is no export of the table: each line must be {"Item": …} with its key`);
}

/**
 * Makes a table with the records of a moment, and waits for it.
 * @throws ServiceUnavailable when it takes longer than a day
 */
export async function restoreTable(
  client: DynamoDBClient,
  { source, target, at }: { source: string; target: string; at: Date },
  sleep: Sleep,
): Promise<void> {
  await client.send(
    new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName: target, RestoreDateTime: at }),
  );
  for (let waited = 0; waited < MAX_RESTORE_MS; waited += POLL_MS) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: target }));
    if (Table?.TableStatus === "ACTIVE") return;
    await sleep(POLL_MS);
  }
  throw new ServiceUnavailable(`The table ${target} is not restored after a day; look at it in the console`);
}

export async function removeTable(client: DynamoDBClient, table: string): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName: table }));
}

/** @throws Conflict for a table with records of organizations, which a restore would mix with its own */
export async function checkEmpty(client: DynamoDBClient, table: string): Promise<void> {
  for await (const item of scanItems(client, table)) {
    if (!partitionOf(item).startsWith("org/")) continue;
    throw new Conflict(`The table ${table} has jobs or settings already; restore to a deployment that nobody has used`);
  }
}

/** Writes items, those that sweeps act on last. @returns the number written */
export async function copyItems(
  client: DynamoDBClient,
  table: string,
  items: AsyncIterable<Item>,
  sleep: Sleep,
): Promise<number> {
  const due: Item[] = [];
  let batch: Item[] = [];
  let written = 0;
  const flush = async (): Promise<void> => {
    await writeBatch(client, table, batch, sleep);
    written += batch.length;
    batch = [];
  };
  const add = async (item: Item): Promise<void> => {
    batch.push(item);
    if (batch.length === BATCH_ITEMS) await flush();
  };
  for await (const item of items) {
    const partition = partitionOf(item);
    if (BOUND_PARTITIONS.test(partition)) continue;
    if (DUE_PARTITIONS.test(partition)) due.push(item);
    else await add(item);
  }
  await flush();
  for (const item of due) await add(item);
  await flush();
  return written;
}

/** @throws ServiceUnavailable when DynamoDB keeps refusing items */
async function writeBatch(client: DynamoDBClient, table: string, items: Item[], sleep: Sleep): Promise<void> {
  let requests: WriteRequest[] = items.map((Item) => ({ PutRequest: { Item } }));
  for (let attempt = 0; requests.length > 0; attempt += 1) {
    if (attempt === MAX_ATTEMPTS) throw new ServiceUnavailable(`DynamoDB does not take the records of ${table}`);
    if (attempt > 0) await sleep(100 * 2 ** attempt);
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    requests = UnprocessedItems?.[table] ?? [];
  }
}

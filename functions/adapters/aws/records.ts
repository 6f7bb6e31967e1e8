/**
 * Records on DynamoDB: one table, one item per record (records-items.ts), consistent reads only.
 *
 * Writes that must happen once although answers get lost carry a mark: when a request is repeated, by the SDK or by
 * this
 * driver, and its condition fails, the item's mark shows whether the first request succeeded.
 */
import { DeleteItemCommand, type DynamoDBClient, GetItemCommand, UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { ConditionFailed } from "../../ports/errors.ts";
import type {
  RecordKey,
  RecordOperation,
  RecordPage,
  RecordQuery,
  Records,
  RecordValue,
  StoredRecord,
  WriteCondition,
} from "../../ports/records.ts";
import { checkKey, checkOperation, checkQuery, checkTransaction, tokenWrite } from "../records-limits.ts";
import { planAdd, type Sight } from "./records-add.ts";
import { call, isRefusal, Pauses, plainCall, type RetryOptions } from "./records-calls.ts";
import {
  type Item,
  itemKey,
  liveRecord,
  markOf,
  newMark,
  type SeenRecord,
  seenRecord,
  versionOf,
} from "./records-items.ts";
import { queryPage } from "./records-pages.ts";
import { CONDITION_SENTENCE, commit, type Store } from "./records-transact.ts";
import {
  addStatement,
  deleteStatement,
  isUnconditional,
  putStatement,
  type UpdateStatement,
  versionAfter,
} from "./records-writes.ts";

export interface DynamoRecordsOptions extends RetryOptions {
  /** Created by the caller, who sets region, endpoint, timeouts and the client's retries. */
  client: DynamoDBClient;
  /** The name of a table as in table.ts. */
  table: string;
}

/** A successful update with its returned item, or the item that its condition refused, if there is one. */
type Updated = { done: true; item: Item } | { done: false; item: Item | undefined };

class DynamoRecords implements Records {
  readonly #options: RetryOptions;
  readonly #store: Store;

  constructor(options: DynamoRecordsOptions) {
    const { client, table, clock } = options;
    this.#options = options;
    this.#store = { client, table, retry: options, now: () => Math.floor(clock.now() / 1000) };
  }

  async get<T extends RecordValue = RecordValue>(key: RecordKey): Promise<StoredRecord<T> | undefined> {
    checkKey(key);
    const seen = await this.#read(key, new Pauses(this.#options));
    return seen?.record as StoredRecord<T> | undefined;
  }

  async put(
    key: RecordKey,
    value: RecordValue,
    options: { expiresAt?: number; condition?: WriteCondition } = {},
  ): Promise<{ version: number }> {
    const write = checkOperation({ kind: "put", key, value, ...options });
    const pauses = new Pauses(this.#options);
    const mark = newMark();
    for (let anew = false; ; anew = !anew) {
      const known = versionAfter(write, anew);
      const statement = putStatement(write, anew, { now: this.#now(), mark });
      const updated = await this.#update(statement, known === undefined ? "UPDATED_NEW" : "NONE", pauses);
      if (updated.done) return { version: known ?? versionOf(updated.item) };
      if (updated.item !== undefined && markOf(updated.item) === mark) return { version: versionOf(updated.item) };
      if (!isUnconditional(write)) throw new ConditionFailed(CONDITION_SENTENCE, [0]);
      // An expired item was in the way, or no longer is.
      await pauses.afterRace();
    }
  }

  async delete(key: RecordKey, condition?: WriteCondition): Promise<void> {
    const write = checkOperation({ kind: "delete", key, ...(condition ? { condition } : {}) });
    // A deleted item carries no mark; a transaction recognises a repeated deletion by its token.
    if (condition !== undefined) return commit(this.#store, [write]);
    const command = new DeleteItemCommand({ TableName: this.#store.table, ...deleteStatement(write, this.#now()) });
    await plainCall(() => this.#store.client.send(command), new Pauses(this.#options));
  }

  async add<T extends RecordValue = RecordValue>(
    key: RecordKey,
    amounts: Record<string, number>,
    floor?: Record<string, number>,
  ): Promise<T> {
    const write = checkOperation({ kind: "add", key, amounts, ...(floor ? { floor } : {}) });
    const pauses = new Pauses(this.#options);
    const mark = newMark();
    let sight: Sight = "unseen";
    for (;;) {
      const plan = planAdd(write, sight);
      const now = this.#now();
      if (plan.kind === "fails") throw new ConditionFailed(CONDITION_SENTENCE, [0]);
      if (plan.kind === "look") {
        sight = { seen: await this.#read(key, pauses) };
        continue;
      }
      const returned = plan.kind === "increment" ? "ALL_NEW" : "NONE";
      const updated = await this.#update(addStatement(write.key, plan, { now, mark }), returned, pauses);
      if (updated.done && plan.kind === "replace") return JSON.parse(plan.json) as T;
      if (updated.item !== undefined && (updated.done || markOf(updated.item) === mark)) {
        return seenRecord(updated.item).record.value as T;
      }
      sight = (await pauses.afterRace()) ? "unseen" : { seen: liveRecord(updated.item, now) };
    }
  }

  async query<T extends RecordValue = RecordValue>(query: RecordQuery): Promise<RecordPage<T>> {
    checkQuery(query);
    return queryPage<T>(this.#store, query, new Pauses(this.#options));
  }

  async transact(operations: RecordOperation[], options: { token?: string } = {}): Promise<void> {
    const writes = operations.map((operation) => checkOperation(operation));
    const token = options.token === undefined ? undefined : tokenWrite(options.token, this.#now());
    checkTransaction(token === undefined ? writes : [...writes, token]);
    await commit(this.#store, writes, token);
  }

  /** Unix seconds, rounded down; `expiresAt` compares to it. */
  #now(): number {
    return this.#store.now();
  }

  async #read(key: RecordKey, pauses: Pauses): Promise<SeenRecord | undefined> {
    const { client, table } = this.#store;
    const command = new GetItemCommand({ TableName: table, Key: itemKey(key), ConsistentRead: true });
    const { Item } = await plainCall(() => client.send(command), pauses);
    return liveRecord(Item, this.#now());
  }

  async #update(
    statement: UpdateStatement,
    returned: "NONE" | "UPDATED_NEW" | "ALL_NEW",
    pauses: Pauses,
  ): Promise<Updated> {
    const { client, table } = this.#store;
    const command = new UpdateItemCommand({
      TableName: table,
      ...statement,
      ReturnValues: returned,
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    const answer = await call(() => client.send(command), pauses);
    if (isRefusal(answer)) return { done: false, item: "Item" in answer ? answer.Item : undefined };
    return { done: true, item: answer.Attributes ?? {} };
  }
}

/**
 * Opens Records in an existing table (created by RECORDS_TABLE in table.ts).
 * Errors are AppErrors with the SDK's error as `cause`. ServiceUnavailable, when the store is throttled or unreachable
 * for longer than the pauses, leaves open whether a write succeeded. An `add` with a lost answer counts twice when
 * others
 * write the record before it is repeated; use `transact` for adds that must count once.
 */
export function openDynamoRecords(options: DynamoRecordsOptions): Records {
  return new DynamoRecords(options);
}

/** Transactions: one TransactWriteItems for all operations, and the recovery when DynamoDB cancels it. */
import { randomUUID } from "node:crypto";
import {
  type CancellationReason,
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { ConditionFailed } from "../../ports/errors.ts";
import type { Write } from "../records-limits.ts";
import { planAdd, type Sight } from "./records-add.ts";
import { CONDITION_REASON, call, isRefusal, Pauses, type RetryOptions } from "./records-calls.ts";
import { liveRecord, markOf, newMark } from "./records-items.ts";
import {
  type Attempt,
  addStatement,
  checkStatement,
  deleteStatement,
  isUnconditional,
  lookStatement,
  putStatement,
} from "./records-writes.ts";

export const CONDITION_SENTENCE = "The data was changed by others at the same time";

/** The table, its client and its clock. */
export interface Store {
  client: DynamoDBClient;
  table: string;
  retry: RetryOptions;
  /** Unix seconds, rounded down. */
  now(): number;
}

/** One transaction and the knowledge gained by its attempts. */
class Transaction {
  readonly #table: string;
  readonly #writes: readonly Write[];
  readonly #mark: string;
  /** Knowledge of the records to add to, by position. */
  readonly #sights = new Map<number, Sight>();
  /** Positions of unconditional puts that met an expired record. */
  readonly #anew = new Set<number>();

  constructor(table: string, writes: readonly Write[], mark: string) {
    this.#table = table;
    this.#writes = writes;
    this.#mark = mark;
  }

  /** @throws StoreLimitExceeded when an add is impossible on the existing record */
  items(now: number): TransactWriteItem[] {
    return this.#writes.map((write, position) => this.#item(write, position, { now, mark: this.#mark }));
  }

  #item(write: Write, position: number, attempt: Attempt): TransactWriteItem {
    const TableName = this.#table;
    switch (write.kind) {
      case "put":
        return { Update: { TableName, ...putStatement(write, this.#anew.has(position), attempt) } };
      case "delete":
        return { Delete: { TableName, ...deleteStatement(write, attempt.now) } };
      case "check":
        return { ConditionCheck: { TableName, ...checkStatement(write, attempt.now) } };
      case "add": {
        const plan = planAdd(write, this.#sights.get(position) ?? "unseen");
        const shown = { TableName, ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const };
        if (plan.kind === "look" || plan.kind === "fails") {
          return { ConditionCheck: { ...shown, ...lookStatement(write.key) } };
        }
        return { Update: { ...shown, ...addStatement(write.key, plan, attempt) } };
      }
    }
  }

  /** Drops reads that a pause may have made outdated. */
  forget(): void {
    this.#sights.clear();
  }

  /**
   * Uses the reasons, one per operation, to build the next attempt.
   * @returns "done" when this transaction has already succeeded
   * @throws ConditionFailed when conditions of operations failed
   */
  learn(reasons: readonly CancellationReason[], now: number): "done" | "again" {
    const failed: number[] = [];
    for (const [position, write] of this.#writes.entries()) {
      const reason = reasons[position];
      if (reason?.Code !== CONDITION_REASON) continue;
      if (write.kind === "add") {
        if (reason.Item !== undefined && markOf(reason.Item) === this.#mark) return "done";
        const sight = { seen: liveRecord(reason.Item, now) };
        this.#sights.set(position, sight);
        if (planAdd(write, sight).kind === "fails") failed.push(position);
      } else if (write.kind === "put" && isUnconditional(write)) {
        if (!this.#anew.delete(position)) this.#anew.add(position);
      } else failed.push(position);
    }
    if (failed.length > 0) throw new ConditionFailed(CONDITION_SENTENCE, failed);
    return "again";
  }
}

/**
 * Writes all operations or none.
 * @param token the write of the token's record; a used token counts as success
 * @throws ConditionFailed with all failed positions @throws StoreLimitExceeded, ServiceUnavailable
 */
export async function commit(store: Store, writes: readonly Write[], token?: Write): Promise<void> {
  const all = token === undefined ? writes : [...writes, token];
  if (all.length === 0) return;
  const transaction = new Transaction(store.table, all, newMark());
  const pauses = new Pauses(store.retry);
  for (;;) {
    const now = store.now();
    // The client token makes DynamoDB execute a repeated request only once when its answer is lost.
    const command = new TransactWriteItemsCommand({
      TransactItems: transaction.items(now),
      ClientRequestToken: randomUUID(),
    });
    const answer = await call(() => store.client.send(command), pauses);
    if (!isRefusal(answer)) return;
    const reasons = "CancellationReasons" in answer ? (answer.CancellationReasons ?? []) : [];
    if (token !== undefined && reasons[writes.length]?.Code === CONDITION_REASON) return;
    if (transaction.learn(reasons, now) === "done") return;
    if (await pauses.afterRace()) transaction.forget();
  }
}

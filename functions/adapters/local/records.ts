/**
 * Records on one machine: one table in one SQLite file. SQLite's calls are synchronous. Every operation completes within the call that starts it, so nothing else in this
 * process can run between its reads and its writes; BEGIN IMMEDIATE excludes other processes too.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
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
import { openCursor, sealCursor } from "../cursor.ts";
import { type AddWrite, valueAfter } from "../records-add.ts";
import {
  checkKey,
  checkOperation,
  checkQuery,
  checkTransaction,
  DEFAULT_PAGE_ITEMS,
  encodeValue,
  tokenWrite,
  type Write,
} from "../records-limits.ts";
import { identityOf } from "../records-query.ts";
import { openDatabase } from "./records-database.ts";
import { Erasure, erasableJson } from "./records-erasure.ts";
import { isBusy, translatingFaults } from "./records-faults.ts";
import { type CommitLog, openCommitLog } from "./records-log.ts";
import { pageStatement } from "./records-query.ts";

export interface RecordsOptions {
  clock: Pick<Clock, "now">;
  /** Milliseconds that a write waits for another process's write; default 5,000. */
  busyTimeout?: number;
  /**
   * When a write resolves. `durable` (default): on the disk, past a power failure. `committed`: past the death of this
   * process; whoever tells the outside world of it first waits for `settled`.
   */
  acknowledge?: "durable" | "committed";
}

export interface LocalRecords extends Records {
  /** Closes the file for good. Repeatable. */
  close(): void;
  /** Removes up to `limit` (default 1,000) expired records, oldest first. @returns the number removed */
  sweepExpired(limit?: number): number;
  /** True when there is a record outside of a partition. */
  hasRecordsBeside(partition: string): boolean;
  /** Resolves when all earlier writes are on the disk. @throws MachineError when the disk refuses them */
  settled(): Promise<void>;
}

/** Rows read and parsed before others get their turn: about a millisecond. */
const ROWS_A_TURN = 100;

/** The effect of a write once all conditions of its transaction hold. */
type Effect =
  | { kind: "none" }
  | { kind: "remove"; key: RecordKey }
  | { kind: "store"; key: RecordKey; version: number; json: string; expiresAt: number | null };

const LIVE_RECORD = "partition = ? AND sort = ? AND (expires_at IS NULL OR expires_at > ?)";

function prepareStatements(database: DatabaseSync) {
  return {
    version: database.prepare(`SELECT version FROM records WHERE ${LIVE_RECORD}`),
    record: database.prepare(`SELECT sort, version, expires_at, value FROM records WHERE ${LIVE_RECORD}`),
    store: database.prepare(
      `INSERT INTO records (partition, sort, version, expires_at, value) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (partition, sort) DO UPDATE SET
         version = excluded.version, expires_at = excluded.expires_at, value = excluded.value`,
    ),
    remove: database.prepare("DELETE FROM records WHERE partition = ? AND sort = ?"),
    sweep: database.prepare(
      `DELETE FROM records WHERE rowid IN
         (SELECT rowid FROM records WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
    beside: database.prepare(
      `SELECT 1 FROM (SELECT 1 FROM records WHERE partition < ? LIMIT 1)
       UNION ALL SELECT 1 FROM (SELECT 1 FROM records WHERE partition > ? LIMIT 1) LIMIT 1`,
    ),
    begin: database.prepare("BEGIN IMMEDIATE"),
    commit: database.prepare("COMMIT"),
    rollback: database.prepare("ROLLBACK"),
  };
}

function conditionHolds(condition: WriteCondition | undefined, version: number | undefined): boolean {
  if (condition?.ifAbsent) return version === undefined;
  if (condition?.ifPresent) return version !== undefined;
  if (condition?.ifVersion !== undefined) return version === condition.ifVersion;
  return true;
}

/** Parses a row of the table; trusts it, because only this file writes the table. */
function storedRecord<T extends RecordValue>(partition: string, row: Record<string, SQLOutputValue>): StoredRecord<T> {
  return {
    key: { partition, sort: String(row.sort) },
    value: JSON.parse(String(row.value)) as T,
    version: Number(row.version),
    ...(row.expires_at === null ? {} : { expiresAt: Number(row.expires_at) }),
  };
}

class SqliteRecords implements LocalRecords {
  readonly #database: DatabaseSync;
  readonly #log: CommitLog;
  readonly #erasure: Erasure;
  readonly #clock: Pick<Clock, "now">;
  readonly #waitsForDisk: boolean;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** Prepared pages by SQL: a query's bounds and direction give few shapes. */
  readonly #pages = new Map<string, StatementSync>();

  constructor(
    database: DatabaseSync,
    log: CommitLog,
    erasure: Erasure,
    { clock, acknowledge = "durable" }: RecordsOptions,
  ) {
    this.#database = database;
    this.#log = log;
    this.#erasure = erasure;
    this.#clock = clock;
    this.#waitsForDisk = acknowledge === "durable";
    this.#statements = prepareStatements(database);
  }

  async get<T extends RecordValue = RecordValue>(key: RecordKey): Promise<StoredRecord<T> | undefined> {
    checkKey(key);
    const row = translatingFaults(() => this.#statements.record.get(key.partition, key.sort, this.#seconds()));
    return row && storedRecord<T>(key.partition, row);
  }

  async put(
    key: RecordKey,
    value: RecordValue,
    options: { expiresAt?: number; condition?: WriteCondition } = {},
  ): Promise<{ version: number }> {
    const effect = await this.#writeOne({ kind: "put", key, value, ...options });
    return { version: effect.version };
  }

  async delete(key: RecordKey, condition?: WriteCondition): Promise<void> {
    await this.#write([checkOperation({ kind: "delete", key, ...(condition ? { condition } : {}) })]);
  }

  async add<T extends RecordValue = RecordValue>(
    key: RecordKey,
    amounts: Record<string, number>,
    floor?: Record<string, number>,
  ): Promise<T> {
    const effect = await this.#writeOne({ kind: "add", key, amounts, ...(floor ? { floor } : {}) });
    return JSON.parse(effect.json) as T;
  }

  async query<T extends RecordValue = RecordValue>(query: RecordQuery): Promise<RecordPage<T>> {
    checkQuery(query);
    const { partition, cursor, limit = DEFAULT_PAGE_ITEMS } = query;
    const after = cursor === undefined ? undefined : openCursor(identityOf(query), cursor);
    const { sql, values } = pageStatement(query, after);
    // One row more than requested, to learn whether another page follows.
    const rows = translatingFaults(() => this.#pageOf(sql).all(...values, this.#seconds(), limit + 1));
    const items = rows.slice(0, limit).map((row) => storedRecord<T>(partition, row));
    // A caller that reads page after page would otherwise hold up every other request.
    if (items.length >= ROWS_A_TURN) await turn();
    const last = items.at(-1);
    if (rows.length <= limit || last === undefined) return { items };
    return { items, cursor: sealCursor(identityOf(query), last.key.sort) };
  }

  async transact(operations: RecordOperation[], options: { token?: string } = {}): Promise<void> {
    const writes = operations.map(checkOperation);
    const token = options.token === undefined ? undefined : tokenWrite(options.token, this.#seconds());
    checkTransaction(token === undefined ? writes : [...writes, token]);
    await this.#write(writes, token);
  }

  sweepExpired(limit = 1000): number {
    return translatingFaults(() => Number(this.#statements.sweep.run(this.#seconds(), limit).changes));
  }

  hasRecordsBeside(partition: string): boolean {
    return translatingFaults(() => this.#statements.beside.get(partition, partition) !== undefined);
  }

  settled(): Promise<void> {
    return this.#log.durable();
  }

  close(): void {
    this.#log.close();
    if (this.#database.isOpen) this.#database.close();
  }

  #pageOf(sql: string): StatementSync {
    const statement = this.#pages.get(sql) ?? this.#database.prepare(sql);
    this.#pages.set(sql, statement);
    return statement;
  }

  /** Unix seconds, rounded down; `expiresAt` compares to it. */
  #seconds(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  async #writeOne(operation: RecordOperation): Promise<Effect & { kind: "store" }> {
    const [effect] = await this.#write([checkOperation(operation)]);
    if (effect?.kind === "store") return effect;
    throw new Error("A put or an add stores a record");
  }

  /**
   * Writes all or nothing; resolves when the write is acknowledged.
   * @returns the effects by position; none when the token was already used @throws ConditionFailed, MachineError
   */
  async #write(writes: readonly Write[], token?: Write): Promise<Effect[]> {
    const transact = () => this.#transact(writes, token);
    const erases = writes.some((write) => write.kind === "delete" && write.erase === true);
    const effects = translatingFaults(() => (erases ? this.#erasure.deleting(transact) : transact()));
    this.#log.committed();
    if (this.#waitsForDisk || erases) await this.#log.durable();
    this.#erasure.emptyLog();
    return effects;
  }

  #transact(writes: readonly Write[], token: Write | undefined): Effect[] {
    const statements = this.#statements;
    this.#begin();
    try {
      const now = this.#seconds();
      const used = token !== undefined && this.#versionOf(token.key, now) !== undefined;
      const effects = used ? [] : this.#plan(writes, now);
      for (const effect of effects) this.#apply(effect);
      if (token !== undefined && !used) for (const effect of this.#plan([token], now)) this.#apply(effect);
      statements.commit.run();
      return effects;
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (this.#database.isTransaction) statements.rollback.run();
      throw error;
    }
  }

  #begin(): void {
    try {
      this.#statements.begin.run();
    } catch (error) {
      if (!isBusy(error)) throw error;
      throw new ServiceUnavailable("The store is busy; try again", { retryAfter: 1, cause: error });
    }
  }

  /** Evaluates every condition on the state before the transaction, so that `failed` is complete. */
  #plan(writes: readonly Write[], now: number): Effect[] {
    const effects: Effect[] = [];
    const failed: number[] = [];
    for (const [position, write] of writes.entries()) {
      const effect = write.kind === "add" ? this.#planAdd(write, now) : this.#planWrite(write, now);
      if (effect === undefined) failed.push(position);
      else effects.push(effect);
    }
    if (failed.length > 0) throw new ConditionFailed("The data was changed by others at the same time", failed);
    return effects;
  }

  #planWrite(write: Exclude<Write, { kind: "add" }>, now: number): Effect | undefined {
    const { key, condition } = write;
    const version = this.#versionOf(key, now);
    if (!conditionHolds(condition, version)) return undefined;
    if (write.kind === "check") return { kind: "none" };
    if (write.kind === "delete") return { kind: "remove", key };
    const json = write.erasable === true ? erasableJson(write.json) : write.json;
    return { kind: "store", key, version: (version ?? 0) + 1, json, expiresAt: write.expiresAt };
  }

  #planAdd(write: AddWrite, now: number): Effect | undefined {
    const { key } = write;
    const row = this.#statements.record.get(key.partition, key.sort, now);
    const current = row && storedRecord(key.partition, row);
    const value = valueAfter(current?.value, write);
    if (value === undefined) return undefined;
    const json = encodeValue(key, value);
    return { kind: "store", key, version: (current?.version ?? 0) + 1, json, expiresAt: current?.expiresAt ?? null };
  }

  #versionOf(key: RecordKey, now: number): number | undefined {
    const row = this.#statements.version.get(key.partition, key.sort, now);
    return row === undefined ? undefined : Number(row.version);
  }

  #apply(effect: Effect): void {
    if (effect.kind === "none") return;
    const { partition, sort } = effect.key;
    if (effect.kind === "remove") this.#statements.remove.run(partition, sort);
    else this.#statements.store.run(partition, sort, effect.version, effect.expiresAt, effect.json);
  }
}

/**
 * Opens the records of one machine; creates a missing file, readable by its owner only.
 * @param file a path, or `:memory:`
 * @throws UnusableRecords for a file that is no sound database of this release; MachineError for a fault of the machine
 */
export function openRecords(file: string, options: RecordsOptions): LocalRecords {
  const busyTimeout = options.busyTimeout ?? 5000;
  const database = openDatabase(file, busyTimeout);
  return new SqliteRecords(database, openCommitLog(file), new Erasure(database, busyTimeout), options);
}

/**
 * Records: keyed documents with conditions, versions and transactions. Drivers: SQLite on one machine, DynamoDB on AWS.
 */

/**
 * A record's address. A query never leaves one partition. Both parts are non-empty; sorts order by their UTF-8 bytes.
 */
export interface RecordKey {
  partition: string;
  sort: string;
}

/** A record's value: a JSON object that carries its schema version `v`. */
export interface RecordValue {
  v: number;
  [member: string]: unknown;
}

export interface StoredRecord<T extends RecordValue = RecordValue> {
  key: RecordKey;
  value: T;
  /** Grows by one with every write of this record, starting at 1. */
  version: number;
  /** Unix seconds after which no reader sees the record, swept or not. */
  expiresAt?: number;
}

/** At most one member is set. Without a condition the write always happens. */
export interface WriteCondition {
  ifAbsent?: true;
  ifVersion?: number;
  ifPresent?: true;
}

export type RecordOperation =
  | {
      kind: "put";
      key: RecordKey;
      value: RecordValue;
      expiresAt?: number;
      condition?: WriteCondition;
      /** The record is written once, and then deleted with `erase`. */
      erasable?: true;
    }
  /** `erase`: no copy of an erasable value stays in the files of a driver on one machine. */
  | { kind: "delete"; key: RecordKey; condition?: WriteCondition; erase?: true }
  | { kind: "check"; key: RecordKey; condition: WriteCondition }
  /**
   * Adds to numeric top-level members of the value (absent ones count as 0; an absent record is made as `{v: 1}`).
   * With `floor`, the operation's condition is that each named member is at least its floor afterwards.
   */
  | { kind: "add"; key: RecordKey; amounts: Record<string, number>; floor?: Record<string, number> };

export interface RecordQuery {
  partition: string;
  /** Only sorts with this prefix. */
  prefix?: string;
  /** Only sorts ≥ `from` and ≤ `to` (UTF-8 byte order); not together with `prefix`. */
  from?: string;
  to?: string;
  descending?: boolean;
  /** 1 to 1,000; default 100. */
  limit?: number;
  cursor?: string;
}

export interface RecordPage<T extends RecordValue = RecordValue> {
  items: StoredRecord<T>[];
  /** Absent on the last page. Opaque; bound to the query it came from. */
  cursor?: string;
}

/**
 * Every driver refuses, as DynamoDB does, with StoreLimitExceeded: a value over 400 KB, over 100 operations or 4 MB in
 * a transaction, two operations on one key, an empty key part, a partition over 2,048 bytes, a sort over 1,024 bytes.
 */
export interface Records {
  /** Consistent read: a caller sees its own writes. */
  get<T extends RecordValue = RecordValue>(key: RecordKey): Promise<StoredRecord<T> | undefined>;
  /** @returns the new version @throws ConditionFailed */
  put(
    key: RecordKey,
    value: RecordValue,
    options?: { expiresAt?: number; condition?: WriteCondition },
  ): Promise<{ version: number }>;
  /** Deleting a missing record succeeds, unless a condition says otherwise. @throws ConditionFailed */
  delete(key: RecordKey, condition?: WriteCondition): Promise<void>;
  /**
   * Increments atomically.
   * @returns the value afterwards
   * @throws ConditionFailed when a member would fall below its floor
   */
  add<T extends RecordValue = RecordValue>(
    key: RecordKey,
    amounts: Record<string, number>,
    floor?: Record<string, number>,
  ): Promise<T>;
  query<T extends RecordValue = RecordValue>(query: RecordQuery): Promise<RecordPage<T>>;
  /**
   * Executes all operations or none. With a `token`, repeating the token within 24 h succeeds without doing anything
   * (its record is written in the same transaction and counts towards the 100).
   * @throws ConditionFailed with the positions that failed
   */
  transact(operations: RecordOperation[], options?: { token?: string }): Promise<void>;
}

/** All records of a query, loaded page by page. */
export async function* queryAll<T extends RecordValue = RecordValue>(
  records: Pick<Records, "query">,
  query: RecordQuery,
): AsyncGenerator<StoredRecord<T>> {
  let { cursor } = query;
  do {
    const page = await records.query<T>({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

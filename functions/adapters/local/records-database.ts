/** Opens the SQLite file of Records, creates it when missing, and checks its schema version. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDamaged, translateFault } from "./records-faults.ts";

/** A file that is no database of this release; the message is a sentence for the operator. */
export class UnusableRecords extends Error {
  override name = "UnusableRecords";
}

/** Stored in SQLite's `user_version`. */
const SCHEMA_VERSION = 1;

/**
 * Text compares by its UTF-8 bytes (the BINARY collation of a UTF-8 database), like DynamoDB's keys. A table with row
 * ids: values of a few KB keep its index small; WITHOUT ROWID would read them in every search.
 */
const SCHEMA = `
  CREATE TABLE records (
    partition  TEXT NOT NULL COLLATE BINARY,
    sort       TEXT NOT NULL COLLATE BINARY,
    version    INTEGER NOT NULL,
    expires_at INTEGER,
    value      TEXT NOT NULL,
    PRIMARY KEY (partition, sort)
  ) STRICT;
  CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * synchronous=NORMAL: a commit does not wait for the disk on the service's thread, which a slow disk would hold up for
 * everybody. `records-log.ts` brings it to the disk before it is acknowledged, so that neither kill -9 nor a power
 * failure loses an acknowledged charge or job.
 */
const PRAGMAS = `
  PRAGMA encoding = 'UTF-8';
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
`;

const COLUMNS = "partition sort version expires_at value";

/** Finds why a file is not a database of this release. Reads its header and its schema. */
function schemaFault(database: DatabaseSync, version: number): string | undefined {
  if (version > SCHEMA_VERSION) {
    return `was written by a newer release (schema ${version}); this one reads up to ${SCHEMA_VERSION}`;
  }
  const columns = database.prepare("SELECT name FROM pragma_table_info('records')").all();
  if (version < 0 || columns.map(({ name }) => name).join(" ") !== COLUMNS) {
    return "is not a database of Sheaf, or is damaged; put it back from a backup";
  }
  return undefined;
}

function prepareSchema(database: DatabaseSync, file: string): void {
  // In a write transaction, so that of two processes starting at once one creates the table and the other finds it.
  database.exec("BEGIN IMMEDIATE");
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  const tables = Number(database.prepare("SELECT count(*) AS number FROM sqlite_schema").get()?.number);
  if (version === 0 && tables === 0) database.exec(SCHEMA);
  else {
    const fault = schemaFault(database, version);
    if (fault !== undefined) throw new UnusableRecords(`${file} ${fault}`);
  }
  database.exec("COMMIT");
}

/**
 * @param file a path, created with mode 0600 when missing (SQLite gives its -wal and -shm files the same mode), or
 *   `:memory:`
 * @param busyTimeout milliseconds that a write waits for another process's write
 * @throws UnusableRecords for a file of a newer release, of another program, or without a sound header and schema;
 *   MachineError for a fault of the machine
 */
export function openDatabase(file: string, busyTimeout: number): DatabaseSync {
  if (file !== ":memory:") {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: busyTimeout });
    database.exec(PRAGMAS);
    prepareSchema(database, file);
    return database;
  } catch (error) {
    database?.close();
    const fault = translateFault(error);
    if (!isDamaged(fault)) throw fault;
    throw new UnusableRecords(`${file} is damaged or is not a database; put it back from a backup`, { cause: error });
  }
}

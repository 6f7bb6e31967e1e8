/**
 * Erasure of records: after it no file of the database holds the value.
 *
 * SQLite leaves copies of a row behind. What it deletes stays in its page until something else is written there, unless
 * `secure_delete` is on; a row that moves to another page stays in the first one even then; and the write-ahead log
 * keeps every page that was written until it is overwritten. So an erasable value stands behind blanks that fill the
 * part of a row that shares a page with other rows: the rest has pages of its own, which are zeroed when they are freed.
 * Sources: https://sqlite.org/pragma.html#pragma_secure_delete, https://sqlite.org/fileformat2.html, 1.6 and 4.
 */
import type { DatabaseSync } from "node:sqlite";

/** Bytes of a row that stand beside others are at most the page's, 4,096, less 35. */
const SHARED_ROW_BYTES = 4_096;

/** The JSON of an erasable value; a parser ignores the blanks. */
export const erasableJson = (json: string): string => " ".repeat(SHARED_ROW_BYTES) + json;

export class Erasure {
  readonly #database: DatabaseSync;
  readonly #busyTimeout: number;
  /** The log may hold values that were erased. True at first: a crash may have come before its emptying. */
  #isLogStale = true;

  /** @param busyTimeout of the database, in milliseconds */
  constructor(database: DatabaseSync, busyTimeout: number) {
    this.#database = database;
    this.#busyTimeout = busyTimeout;
  }

  /** Runs a transaction that deletes erasable values. */
  deleting<T>(transact: () => T): T {
    this.#database.exec("PRAGMA secure_delete = ON");
    try {
      const done = transact();
      this.#isLogStale = true;
      return done;
    } finally {
      this.#database.exec("PRAGMA secure_delete = OFF");
    }
  }

  /** Empties the log where it may hold erased values; while another process reads it, a later call does. */
  emptyLog(): void {
    if (!this.#isLogStale) return;
    // Waiting for a reader would hold up everybody: the calls are synchronous.
    this.#database.exec("PRAGMA busy_timeout = 0");
    try {
      const answer = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      this.#isLogStale = Number(answer?.busy) !== 0;
    } catch {
      // The log stays as it is, and its next emptying is tried again.
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#busyTimeout}`);
    }
  }
}

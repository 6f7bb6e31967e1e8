/**
 * Brings commits to the disk in the background: a write is acknowledged after its bytes are there, and meanwhile the
 * service's thread serves others. All commits that wait are brought to the disk together.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { errorCode, MachineError } from "../../ports/machine-faults.ts";

export interface CommitLog {
  /** Resolves when all earlier commits are on the disk. @throws MachineError when the disk refuses them */
  durable(): Promise<void>;
  /** Brings all commits to the disk. Call before the database is closed. */
  close(): void;
}

const fault = (error: Error): MachineError => new MachineError(errorCode(error) ?? "EIO", error);

class WriteAheadLog implements CommitLog {
  readonly #descriptor: number;
  #waiting: PromiseWithResolvers<void>[] = [];
  #isSyncing = false;
  #isClosed = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  durable(): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    this.#waiting.push(waiter);
    if (!this.#isSyncing) this.#sync();
    return waiter.promise;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    fdatasyncSync(this.#descriptor);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }

  /** Syncs what was committed before now; a later commit waits for the next sync. */
  #sync(): void {
    const served = this.#waiting.splice(0);
    this.#isSyncing = true;
    fdatasync(this.#descriptor, (error) => {
      this.#isSyncing = false;
      for (const { resolve, reject } of served) error === null ? resolve() : reject(fault(error));
      if (this.#isClosed) closeSync(this.#descriptor);
      else if (this.#waiting.length > 0) this.#sync();
    });
  }
}

const IN_MEMORY: CommitLog = { durable: () => Promise.resolve(), close: () => undefined };

/**
 * The log of an open database in WAL mode. SQLite keeps the log's file as long as a connection is open.
 * Source: https://sqlite.org/wal.html, "The WAL File".
 * @param file of the database, or `:memory:` @throws MachineError when there is no handle for the log's file
 */
export function openCommitLog(file: string): CommitLog {
  if (file === ":memory:") return IN_MEMORY;
  try {
    return new WriteAheadLog(openSync(`${file}-wal`, "a", 0o600));
  } catch (error) {
    throw fault(error as Error);
  }
}

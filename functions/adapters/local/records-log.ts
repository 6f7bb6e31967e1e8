/**
 * Brings commits to the disk in the background, while the service's thread serves others: all commits that are not
 * there yet at once. The log is one file in the order of the commits, so a later commit is never there without the
 * earlier ones.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { errorCode, MachineError } from "../../ports/machine-faults.ts";

/**
 * Most milliseconds that a commit for which nobody waits stays off the disk. A power failure makes this much work be
 * done again.
 */
const MAX_UNSYNCED_MS = 500;

export interface CommitLog {
  /** Notes a commit. */
  committed(): void;
  /**
   * Resolves when all commits noted before are on the disk; at once when they are. @throws MachineError when the disk
   * refused one of them
   */
  durable(): Promise<void>;
  /** Brings all commits to the disk. Call before the database is closed. */
  close(): void;
}

const fault = (error: Error): MachineError => new MachineError(errorCode(error) ?? "EIO", error);

type SyncData = (descriptor: number, done: (error: Error | null) => void) => void;

class WriteAheadLog implements CommitLog {
  readonly #descriptor: number;
  /** Those who wait for the next sync. */
  #waiting: PromiseWithResolvers<void>[] = [];
  /** Those who wait for the sync under way; undefined when none is. */
  #served: PromiseWithResolvers<void>[] | undefined;
  #committed = 0;
  /** The number of the last commit that a sync was begun for. */
  #begun = 0;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** A fault that met commits for which nobody waited: it is told to the next who waits. */
  #untold: MachineError | undefined;

  readonly #syncData: SyncData;

  constructor(descriptor: number, syncData: SyncData) {
    this.#descriptor = descriptor;
    this.#syncData = syncData;
  }

  committed(): void {
    this.#committed += 1;
    this.#syncInTime();
  }

  durable(): Promise<void> {
    const untold = this.#untold;
    this.#untold = undefined;
    if (untold !== undefined) return Promise.reject(untold);
    const isBegun = this.#begun === this.#committed;
    if (this.#isClosed || (isBegun && this.#served === undefined)) return Promise.resolve();
    const waiter = Promise.withResolvers<void>();
    if (isBegun && this.#served !== undefined) this.#served.push(waiter);
    else this.#waiting.push(waiter);
    if (this.#served === undefined) this.#sync();
    return waiter.promise;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    fdatasyncSync(this.#descriptor);
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    if (this.#served === undefined) closeSync(this.#descriptor);
  }

  #syncInTime(): void {
    if (this.#isClosed || this.#begun === this.#committed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#served === undefined) this.#sync();
    }, MAX_UNSYNCED_MS).unref();
  }

  /** Syncs what was committed before now; a later commit waits for the next sync. */
  #sync(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const served = this.#waiting.splice(0);
    this.#served = served;
    this.#begun = this.#committed;
    this.#syncData(this.#descriptor, (error) => {
      this.#served = undefined;
      for (const { resolve, reject } of served) error === null ? resolve() : reject(fault(error));
      if (error !== null && served.length === 0) this.#untold = fault(error);
      if (this.#isClosed) closeSync(this.#descriptor);
      else if (this.#waiting.length > 0) this.#sync();
      else this.#syncInTime();
    });
  }
}

const IN_MEMORY: CommitLog = {
  committed: () => undefined,
  durable: () => Promise.resolve(),
  close: () => undefined,
};

/**
 * The log of an open database in WAL mode. SQLite keeps the log's file as long as a connection is open.
 * Source: https://sqlite.org/wal.html, "The WAL File".
 * @param file of the database, or `:memory:` @param syncData another disk, in tests @throws MachineError when there is no handle for the log's file
 */
export function openCommitLog(file: string, syncData: SyncData = fdatasync): CommitLog {
  if (file === ":memory:") return IN_MEMORY;
  try {
    return new WriteAheadLog(openSync(`${file}-wal`, "a", 0o600), syncData);
  } catch (error) {
    throw fault(error as Error);
  }
}

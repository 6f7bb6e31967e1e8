/** The data folder of one machine as a directory: made, writable, and locked against a second service. */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy, translateFault } from "../../functions/adapters/local/records-faults.ts";
import { ConfigError } from "./config.ts";
import { startFault } from "./start-faults.ts";

/** Bytes of the probe: a block of most file systems, so that it needs room of its own. */
const PROBE_BYTES = 4_096;

/** A lock that the operating system releases when the process ends. @throws ConfigError when it cannot be taken */
export function lockDataDir(dataDir: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(dataDir, "lock.sqlite"));
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    const lock = database;
    return () => lock.close();
  } catch (error) {
    database?.close();
    if (!isBusy(error)) throw startFault(translateFault(error), dataDir);
    throw new ConfigError(
      `Another Sheaf service is using ${dataDir}; stop it, or set SHEAF_DATA_DIR to another folder`,
    );
  }
}

/** Writes and removes a small file. @throws the error of the operating system */
function probe(dataDir: string): void {
  const file = join(dataDir, `.probe-${process.pid}`);
  const handle = openSync(file, "w", 0o600);
  try {
    writeSync(handle, Buffer.alloc(PROBE_BYTES));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
    rmSync(file, { force: true });
  }
}

/**
 * Creates the data folder if it is missing, checks that it can be written, and locks it for this process.
 * @throws ConfigError with a sentence for the operator
 */
export function openDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const fault = startFault(error, dataDir);
    if (fault instanceof ConfigError) throw fault;
    throw new ConfigError(`The data folder ${dataDir} cannot be made; set SHEAF_DATA_DIR to one that can`);
  }
  try {
    probe(dataDir);
  } catch (error) {
    throw startFault(error, dataDir);
  }
  return lockDataDir(dataDir);
}

/** The data folder of one machine as a directory: made, writable, and locked against a second service. */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileReason } from "../../client/cli/file-reasons.ts";
import { makeFolder } from "../../functions/adapters/local/folders.ts";
import { isBusy, translateFault } from "../../functions/adapters/local/records-faults.ts";
import { ConfigError } from "./config.ts";
import { misplaced, startFault } from "./start-faults.ts";

const LOCK_FILE = "lock.sqlite";

/** Bytes of the probe: a block of most file systems, so that it needs room of its own. */
const PROBE_BYTES = 4_096;

/** A lock that the operating system releases when the process ends. @throws ConfigError when it cannot be taken */
export function lockDataDir(dataDir: string): () => void {
  const file = join(dataDir, LOCK_FILE);
  // SQLite reports a folder as a file that cannot be opened, as it does too few file handles.
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw misplaced(file, dataDir);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
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
    makeFolder(dataDir);
  } catch (error) {
    throw new ConfigError(
      `The data folder ${dataDir} cannot be made: ${fileReason(error)}; set SHEAF_DATA_DIR to a folder that can`,
    );
  }
  try {
    probe(dataDir);
  } catch (error) {
    throw startFault(error, dataDir);
  }
  return lockDataDir(dataDir);
}

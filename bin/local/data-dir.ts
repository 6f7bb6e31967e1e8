/** The data folder of one machine: its key, and the lock that keeps two services out of it. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "./config.ts";

/** 32 bytes, made at the first start, readable by the owner only. */
export function serverKey(dataDir: string): Buffer {
  const file = join(dataDir, "server.key");
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file);
}

/** A lock that the system lets go when the process ends, however it ends. @throws ConfigError when it is taken */
export function lockDataDir(dataDir: string): () => void {
  const database = new DatabaseSync(join(dataDir, "lock.sqlite"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch {
    database.close();
    throw new ConfigError(
      `Another Sheaf service is using ${dataDir}; stop it, or set SHEAF_DATA_DIR to another folder`,
    );
  }
  return () => database.close();
}

/** Makes the data folder where it is not there, and takes it for this process. @throws ConfigError */
export function openDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    throw new ConfigError(`The data folder ${dataDir} cannot be made; set SHEAF_DATA_DIR to one that can`);
  }
  return lockDataDir(dataDir);
}

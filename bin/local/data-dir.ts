/** The data folder of one machine: its server key, and its lock against a second service. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "./config.ts";

/** 32 bytes, created at the first start, readable only by the owner. */
export function serverKey(dataDir: string): Buffer {
  const file = join(dataDir, "server.key");
  try {
    writeFileSync(file, randomBytes(32), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file);
}

/** A lock that the operating system releases when the process ends. @throws ConfigError when it is taken */
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

/** Creates the data folder if it is missing, and locks it for this process. @throws ConfigError */
export function openDataDir(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    throw new ConfigError(`The data folder ${dataDir} cannot be made; set SHEAF_DATA_DIR to one that can`);
  }
  return lockDataDir(dataDir);
}

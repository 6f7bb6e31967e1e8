/**
 * Opens what the data folder holds: records and server key. A part that is missing, damaged or emptied beside other
 * parts is refused with a sentence; nothing is made anew beside data that needs the old one.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  BLOBS_FOLDER,
  fingerprintOf,
  KEY_BYTES,
  KEY_FILE,
  KEY_FINGERPRINT,
  RECORDS_FILE,
} from "../../functions/adapters/local/admin/files.ts";
import { type LocalRecords, openRecords } from "../../functions/adapters/local/records.ts";
import { bytesOf, isSound, MAX_CHECKED_AT_START_BYTES } from "../../functions/adapters/local/records-check.ts";
import { UnusableRecords } from "../../functions/adapters/local/records-database.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { RecordValue } from "../../functions/ports/records.ts";
import { ConfigError } from "./config.ts";

interface Fingerprint extends RecordValue {
  v: 1;
  fingerprint: string;
}

export interface DataFolder {
  records: LocalRecords;
  /** The path of the records. */
  recordsFile: string;
  /** The server key. */
  key: Buffer;
}

/** True for a folder with a file at any depth; unfinished files in `.tmp` do not count. */
function holdsFiles(folder: string): boolean {
  let entries: ReturnType<typeof entriesOf>;
  try {
    entries = entriesOf(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  return entries.some((entry) =>
    entry.isDirectory() ? entry.name !== ".tmp" && holdsFiles(join(folder, entry.name)) : true,
  );
}

const entriesOf = (folder: string) => readdirSync(folder, { withFileTypes: true });

const fromBackup = "put it back from a backup, or set SHEAF_DATA_DIR to an empty folder";

/** Reads the server key. @returns undefined for a missing one @throws ConfigError for a damaged one */
function readKey(file: string): Buffer | undefined {
  let key: Buffer;
  try {
    key = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (key.length === KEY_BYTES) return key;
  throw new ConfigError(`${file} is damaged: it has ${key.length} bytes instead of ${KEY_BYTES}; ${fromBackup}`);
}

/** Writes a new server key, readable by its owner only; a crash leaves either no key or the whole key. */
function writeKey(file: string, key: Buffer): void {
  const temporary = `${file}.new`;
  const handle = openSync(temporary, "w", 0o600);
  try {
    writeSync(handle, key);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
}

const fingerprintRecord = (key: Buffer): Fingerprint => ({ v: 1, fingerprint: fingerprintOf(key) });

/** The key of the folder: that of its data, or a new one at the first start. @throws ConfigError */
async function openKey(dataDir: string, records: LocalRecords): Promise<Buffer> {
  const file = join(dataDir, KEY_FILE);
  const key = readKey(file);
  const stored = (await records.get<Fingerprint>(KEY_FINGERPRINT))?.value;
  const hasData = records.hasRecordsBeside(KEY_FINGERPRINT.partition);
  const wasEmptied = !hasData && stored === undefined;
  if (wasEmptied && (key !== undefined || holdsFiles(join(dataDir, BLOBS_FOLDER)))) throw emptied(dataDir);
  if (key === undefined) {
    if (hasData) {
      throw new ConfigError(`${file} is missing, and the data of this folder is sealed with it; ${fromBackup}`);
    }
    const made = randomBytes(KEY_BYTES);
    await records.put(KEY_FINGERPRINT, fingerprintRecord(made));
    await records.settled();
    writeKey(file, made);
    return made;
  }
  const own = fingerprintRecord(key);
  // A folder of an earlier release has no fingerprint yet.
  if (stored === undefined) await records.put(KEY_FINGERPRINT, own);
  else if (stored.fingerprint !== own.fingerprint) {
    throw new ConfigError(`${file} is not the key that the data of this folder is sealed with; ${fromBackup}`);
  }
  return key;
}

const emptied = (dataDir: string): ConfigError =>
  new ConfigError(
    `${join(dataDir, RECORDS_FILE)} is missing or empty, and this folder holds other parts of the data; ${fromBackup}`,
  );

/**
 * Opens a locked data folder; creates its parts at the first start.
 * @throws ConfigError, UnusableRecords with a sentence for the operator; the error of the operating system
 */
export async function openDataFolder(dataDir: string, clock: Clock): Promise<DataFolder> {
  const recordsFile = join(dataDir, RECORDS_FILE);
  const bytes = bytesOf(recordsFile);
  // Before SQLite makes it anew.
  const hasOthers = readKey(join(dataDir, KEY_FILE)) !== undefined || holdsFiles(join(dataDir, BLOBS_FOLDER));
  if (bytes === 0 && hasOthers) throw emptied(dataDir);
  // The front and the outbound requests wait for the disk before they tell anything.
  const records = openRecords(recordsFile, { clock, acknowledge: "committed" });
  try {
    if (bytes <= MAX_CHECKED_AT_START_BYTES && !isSound(recordsFile)) {
      throw new UnusableRecords(`${recordsFile} is damaged; ${fromBackup}`);
    }
    return { records, recordsFile, key: await openKey(dataDir, records) };
  } catch (error) {
    records.close();
    throw error;
  }
}

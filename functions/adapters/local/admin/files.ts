/** Shared by backup, restore and export: the data folder's layout, and file copies with hashes. */
import { createHash, createHmac } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { NotFound } from "../../../ports/errors.ts";

export const RECORDS_FILE = "records.sqlite";
export const KEY_FILE = "server.key";
export const BLOBS_FOLDER = "blobs";
export const KEY_BYTES = 32;

/** The record that tells whether a server key is the one that the data is sealed with. */
export const KEY_FINGERPRINT = { partition: "sys/data-folder", sort: "server-key" };

/** A value by which a server key is known again. It tells nothing about the key, whose bytes are random. */
export const fingerprintOf = (key: Uint8Array): string =>
  createHmac("sha256", key).update("sheaf data folder").digest("hex");

/** Milliseconds that a write waits for the service's write. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the records of a data folder, beside a running service if there is one. @throws NotFound when there are none
 */
export function openRecordsFile(dataDir: string): DatabaseSync {
  const file = join(dataDir, RECORDS_FILE);
  if (!existsSync(file)) throw new NotFound(`There is no data of a Sheaf service in ${dataDir}; set SHEAF_DATA_DIR`);
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
}

/**
 * Copies a file and syncs it to disk; creates the target folder.
 * @returns SHA-256 of the content, in hexadecimal digits, and its size in bytes
 */
export async function copyWithHash(from: string, to: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  const seen = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  // Opened first, so that a file deleted meanwhile leaves no empty copy.
  const source = createReadStream(from);
  await new Promise<void>((resolve, reject) => {
    source.once("open", () => resolve());
    source.once("error", reject);
  });
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await pipeline(source, seen, createWriteStream(to, { mode: 0o600, flush: true }));
  return { sha256: hash.digest("hex"), size };
}

/** SHA-256 of a file, in hexadecimal digits, and its size in bytes. */
export async function hashOf(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), size };
}

/** Makes a folder's entries durable, where the system supports it. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch {
    // Windows cannot open folders.
  }
}

/** Names in a folder; undefined when the folder does not exist. */
export async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The job of a blob. */
export const jobOfBlob = (key: string): { organizationId: string; guid: string } | undefined => {
  const [, organizationId, guid] = /^org\/(\d+)\/jobs\/([^/]+)\//.exec(key) ?? [];
  return organizationId === undefined || guid === undefined ? undefined : { organizationId, guid };
};

/** What backup, restore and export share: the data folder's parts, and files copied with their hashes. */
import { createHash } from "node:crypto";
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

/** Milliseconds that a write waits for the service to finish its own. */
const BUSY_MS = 10_000;

/** Opens the records of a data folder, beside a service that may be using them. @throws NotFound when there are none */
export function openRecordsFile(dataDir: string): DatabaseSync {
  const file = join(dataDir, RECORDS_FILE);
  if (!existsSync(file)) throw new NotFound(`There is no data of a Sheaf service in ${dataDir}; set SHEAF_DATA_DIR`);
  return new DatabaseSync(file, { timeout: BUSY_MS });
}

/**
 * Copies a file down to the disk; the folder that it goes to is made.
 * @returns SHA-256 of what was copied, as hexadecimal digits, and its bytes
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
  // Opened first: what is gone by now must not leave an empty copy.
  const source = createReadStream(from);
  await new Promise<void>((resolve, reject) => {
    source.once("open", () => resolve());
    source.once("error", reject);
  });
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await pipeline(source, seen, createWriteStream(to, { mode: 0o600, flush: true }));
  return { sha256: hash.digest("hex"), size };
}

/** SHA-256 of a file, as hexadecimal digits, and its bytes. */
export async function hashOf(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha256: hash.digest("hex"), size };
}

/** Makes a folder's entries durable, where the system can. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch {
    // Windows opens no folders.
  }
}

/** The names in a folder; undefined when there is no such folder. */
export async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** The job that a blob belongs to. */
export const jobOfBlob = (key: string): { organizationId: string; guid: string } | undefined => {
  const [, organizationId, guid] = /^org\/(\d+)\/jobs\/([^/]+)\//.exec(key) ?? [];
  return organizationId === undefined || guid === undefined ? undefined : { organizationId, guid };
};

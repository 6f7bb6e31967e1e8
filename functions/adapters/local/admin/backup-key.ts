/**
 * The server key of a backup that was made without it. Under the key stand the hashes of API keys, the secrets of
 * webhooks and the signatures of upload addresses. Keys of the environment are hashed anew at every start, and addresses
 * live for minutes; so a lost key costs the webhooks' secrets and the issued API keys.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { NotFound, UnprocessableEntity } from "../../../ports/errors.ts";
import { fingerprintOf, KEY_BYTES, KEY_FILE, KEY_FINGERPRINT, RECORDS_FILE } from "./files.ts";

/** @throws NotFound when the data folder has no key */
export async function checkOfDataDir(dataDir: string): Promise<string> {
  const key = await readFile(join(dataDir, KEY_FILE)).catch(() => undefined);
  if (key === undefined) throw new NotFound(`${KEY_FILE} is missing in ${dataDir}; put it back before a backup`);
  return fingerprintOf(key);
}

/** Reads the key that was kept elsewhere. @throws NotFound for no file; UnprocessableEntity for another key */
export async function readKey(file: string, check: string): Promise<Buffer> {
  const key = await readFile(file).catch(() => undefined);
  if (key === undefined) throw new NotFound(`The key ${file} cannot be read`);
  if (!timingSafeEqual(Buffer.from(fingerprintOf(key)), Buffer.from(check))) {
    throw new UnprocessableEntity(`${file} is not the ${KEY_FILE} of the data folder that was backed up`);
  }
  return key;
}

export const writeKey = (folder: string, key: Uint8Array): Promise<void> =>
  writeFile(join(folder, KEY_FILE), key, { mode: 0o600, flush: true });

/** Losses of a restore under a new key. */
export interface Dropped {
  /** Organizations whose webhooks were removed, in ascending order. */
  webhooks: number[];
  /** Issued API keys. */
  keys: number;
}

/** Makes a new key for restored records, and removes from them all that only the old key opens. */
export async function replaceKey(folder: string): Promise<Dropped> {
  const dropped = dropSealed(join(folder, RECORDS_FILE));
  await writeKey(folder, randomBytes(KEY_BYTES));
  return dropped;
}

function dropSealed(records: string): Dropped {
  using database = new DatabaseSync(records);
  database.exec("BEGIN");
  const sealed = database
    .prepare(
      `DELETE FROM records WHERE partition >= 'org/' AND partition < 'org0' AND partition LIKE 'org/%/settings'
         AND value LIKE '%"sealed":"%' RETURNING partition`,
    )
    .all();
  const issued = database
    .prepare("DELETE FROM records WHERE partition = 'sys/keys' AND json_extract(value, '$.managedBy') = 'api'")
    .run();
  // The next start stores the new key's.
  database
    .prepare("DELETE FROM records WHERE partition = ? AND sort = ?")
    .run(KEY_FINGERPRINT.partition, KEY_FINGERPRINT.sort);
  database.exec("COMMIT");
  const webhooks = new Set(sealed.map(({ partition }) => Number(String(partition).split("/")[1])));
  return { webhooks: [...webhooks].sort((a, b) => a - b), keys: Number(issued.changes) };
}

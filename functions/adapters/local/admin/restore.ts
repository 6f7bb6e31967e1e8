/** Restores a backup to a data folder: verified file by file, all or nothing. */
import { createReadStream } from "node:fs";
import { readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { Conflict, NotFound, UnprocessableEntity } from "../../../ports/errors.ts";
import { makeFolder } from "../folders.ts";
import { CHECKSUMS_FILE, MANIFEST_FILE, type Manifest } from "./backup.ts";
import { type Dropped, readKey, replaceKey, writeKey } from "./backup-key.ts";
import { copyWithHash, hashOf, KEY_FILE, namesIn, RECORDS_FILE, syncFolder } from "./files.ts";

const manifestShape = z.object({
  v: z.literal(1),
  format: z.literal("sheaf-backup"),
  version: z.string(),
  createdAt: z.string(),
  files: z.int().min(1),
  bytes: z.int().min(0),
  sums: z.string(),
  keyCheck: z.hex().length(64).optional(),
});

/** The key of a backup without one: kept elsewhere, or a new one. */
export interface RestoreOptions {
  /** Path of the kept `server.key`. */
  keyFile?: string | undefined;
  /** Make a new key, and remove what only the old one opens. */
  newKey?: boolean | undefined;
}

export interface Restored extends Manifest {
  /** Present after a restore under a new key. */
  dropped?: Dropped;
}

const damaged = (what: string): UnprocessableEntity => new UnprocessableEntity(`The backup is damaged: ${what}`);

/** @throws NotFound without a finished backup; UnprocessableEntity for an unreadable one */
async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch(() => undefined);
  if (text === undefined) throw new NotFound(`There is no backup in ${folder}, or it was not finished`);
  try {
    return manifestShape.parse(JSON.parse(text));
  } catch {
    throw damaged(`${MANIFEST_FILE} is not one that this release reads`);
  }
}

/** @returns the key that was kept elsewhere; undefined where none is needed @throws Conflict, NotFound, UnprocessableEntity */
async function keptKey({ keyCheck }: Manifest, { keyFile, newKey }: RestoreOptions): Promise<Buffer | undefined> {
  if (keyCheck === undefined) {
    if (keyFile === undefined && newKey !== true) return undefined;
    throw new Conflict(`The backup contains its ${KEY_FILE}; leave out --key and --new-key`);
  }
  if (keyFile !== undefined) return readKey(keyFile, keyCheck);
  if (newKey === true) return undefined;
  throw new Conflict(
    `The backup was made without ${KEY_FILE}, under which API keys are hashed and webhook secrets encrypted: name the kept key by --key FILE, or remove the webhooks and the issued API keys by --new-key`,
  );
}

/**
 * Restores to a missing or empty folder. Until it completes, it writes to a folder beside it, and replaces the rest of
 * an
 * interrupted restore there.
 * @throws NotFound, UnprocessableEntity for the backup; Conflict for the data folder
 */
export async function restore(folder: string, dataDir: string, options: RestoreOptions = {}): Promise<Restored> {
  const source = resolve(folder);
  const target = resolve(dataDir);
  const manifest = await readManifest(source);
  const sums = await hashOf(join(source, CHECKSUMS_FILE)).catch(() => undefined);
  if (sums?.sha256 !== manifest.sums) throw damaged(`${CHECKSUMS_FILE} is not the one that was written`);
  if (((await namesIn(target)) ?? []).length > 0) {
    throw new Conflict(`The data folder ${target} is not empty; name another by SHEAF_DATA_DIR, or move it away`);
  }
  const key = await keptKey(manifest, options);
  const staging = `${target}.restoring`;
  await rm(staging, { recursive: true, force: true });
  makeFolder(staging);
  await copyAll(source, staging, manifest);
  checkRecords(join(staging, RECORDS_FILE));
  if (key !== undefined) await writeKey(staging, key);
  const dropped = options.newKey === true ? await replaceKey(staging) : undefined;
  await rmdir(target).catch(() => undefined);
  await rename(staging, target);
  await syncFolder(dirname(target));
  return { ...manifest, ...(dropped ? { dropped } : {}) };
}

async function copyAll(source: string, staging: string, manifest: Manifest): Promise<void> {
  const seen = new Set<string>();
  let bytes = 0;
  for await (const line of createInterface({
    input: createReadStream(join(source, CHECKSUMS_FILE)),
    crlfDelay: Infinity,
  })) {
    const [, sha256, path = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    // The checksums match, but no path may leave the folder.
    const safe = !path.startsWith("/") && !path.split("/").some((part) => part === ".." || part === "." || part === "");
    if (sha256 === undefined || !safe) throw damaged(`${CHECKSUMS_FILE} names no file`);
    const copied = await copyWithHash(join(source, path), join(staging, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw damaged(`${path} is missing`);
      throw error;
    });
    if (copied.sha256 !== sha256) throw damaged(`${path} has another content than was written`);
    seen.add(path);
    bytes += copied.size;
  }
  const needed = manifest.keyCheck === undefined ? [RECORDS_FILE, KEY_FILE] : [RECORDS_FILE];
  for (const name of needed) if (!seen.has(name)) throw damaged(`${name} is missing`);
  if (seen.size !== manifest.files || bytes !== manifest.bytes) throw damaged("files are missing");
}

function checkRecords(file: string): void {
  using database = new DatabaseSync(file);
  const found = database.prepare("PRAGMA quick_check").get()?.quick_check;
  if (found !== "ok") throw damaged(`${RECORDS_FILE} does not hold together`);
}

/** A folder outside of the repository with the files of the sets, each under its own hash. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { optionOf } from "../support/options.ts";
import type { SetFile } from "./sets.ts";

/** One file must arrive within this time; the longest of the sets has 3.5 MB. */
const FETCH_TIMEOUT_MS = 60_000;

/** A file by its address and its hash. */
export type KeptFile = Pick<SetFile, "repository" | "commit" | "path" | "sha256">;

/** The folder of `--cache DIR`; without it one below the home folder. */
export const cacheFolder = (args: readonly string[]): string =>
  optionOf(args, "--cache") ?? path.join(homedir(), ".cache/sheaf/first-sight");

/** The path of a file in the cache: its hash with the ending of its name. */
export const cachePath = (folder: string, { sha256, path: file }: Pick<SetFile, "sha256" | "path">): string =>
  path.join(folder, sha256 + path.extname(file).toLowerCase());

/** Its address at the stated commit, which never changes. */
export const addressOf = ({ repository, commit, path: file }: KeptFile): string =>
  `https://raw.githubusercontent.com/${repository}/${commit}/${file.split("/").map(encodeURIComponent).join("/")}`;

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Bytes with the stated hash; or a sentence about what is wrong. */
export type Found = { bytes: Uint8Array } | { missing: string };

function checked(bytes: Uint8Array, { sha256 }: KeptFile, from: string): Found {
  const own = sha256Of(bytes);
  return own === sha256 ? { bytes } : { missing: `${from} has the SHA-256 ${own}, not ${sha256}: it is refused` };
}

async function download(file: KeptFile): Promise<Found> {
  const address = addressOf(file);
  try {
    const reply = await fetch(address, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!reply.ok) return { missing: `${address} answers ${reply.status}` };
    return checked(new Uint8Array(await reply.arrayBuffer()), file, address);
  } catch (error) {
    return { missing: `${address} cannot be fetched: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * Takes a file out of the cache; a file with another hash is refused.
 * @param mayFetch true to take a file that is not there from its address
 */
export async function takeFile(folder: string, file: KeptFile, mayFetch: boolean): Promise<Found> {
  const place = cachePath(folder, file);
  const kept = await readFile(place).catch(() => undefined);
  if (kept !== undefined) return checked(kept, file, place);
  if (!mayFetch) return { missing: `${place} is not there; --fetch takes it from ${addressOf(file)}` };
  const found = await download(file);
  if ("missing" in found) return found;
  await mkdir(folder, { recursive: true });
  await writeFile(`${place}.part`, found.bytes);
  await rename(`${place}.part`, place);
  return found;
}

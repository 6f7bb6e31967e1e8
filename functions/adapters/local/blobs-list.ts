/** Lists the blobs below a prefix in byte order; walks only directories that can hold them. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isErrno } from "./blobs-file.ts";
import { directoryOf, fromBytes, readName, toBytes } from "./blobs-keys.ts";

/** The key up to an entry, as bytes (see `toBytes`); a directory's ends in `/`. */
interface Entry {
  bytes: string;
  path: string;
  isDirectory: boolean;
}

async function readDirectory(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // Pruned meanwhile, or never created.
    if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return [];
    throw error;
  }
}

/** Entries directly below `base`; joins the parts of long segments. */
async function entriesOf(directory: string, base: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const dirent of await readDirectory(directory)) {
    const name = readName(dirent.name, dirent.isDirectory());
    if (name === undefined) continue;
    const path = join(directory, dirent.name);
    const bytes = base + name.bytes;
    if (name.kind === "continued") entries.push(...(await entriesOf(path, bytes)));
    else if (name.kind === "directory") entries.push({ bytes: `${bytes}/`, path, isDirectory: true });
    else entries.push({ bytes, path, isDirectory: false });
  }
  return entries;
}

/**
 * Sorting a directory by its key with the slash puts all its keys in their place among its siblings: `a`, `a!`, `a/b`,
 * `a0`. So one directory at a time is read.
 */
async function* walk(directory: string, base: string, prefix: string, after: string): AsyncGenerator<Entry> {
  const entries = (await entriesOf(directory, base)).filter(({ bytes, isDirectory }) =>
    isDirectory
      ? (bytes.startsWith(prefix) || prefix.startsWith(bytes)) && (bytes > after || after.startsWith(bytes))
      : bytes.startsWith(prefix) && bytes > after,
  );
  entries.sort((one, other) => (one.bytes < other.bytes ? -1 : 1));
  for (const entry of entries) {
    if (entry.isDirectory) yield* walk(entry.path, entry.bytes, prefix, after);
    else yield entry;
  }
}

/**
 * @param prefix beginning of the keys, any text
 * @param after lists only keys after this one
 */
export async function* blobsBelow(
  root: string,
  prefix: string,
  after: string | undefined,
): AsyncGenerator<{ key: string; path: string }> {
  const segments = prefix.split("/").slice(0, -1);
  // No key has an empty segment, and as a path it would name another directory.
  if (segments.includes("")) return;
  const base = segments.map((segment) => `${segment}/`).join("");
  const start = directoryOf(root, segments);
  for await (const { bytes, path } of walk(start, toBytes(base), toBytes(prefix), toBytes(after ?? ""))) {
    yield { key: fromBytes(bytes), path };
  }
}

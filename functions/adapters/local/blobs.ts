/**
 * Blobs on one machine: one file each, below one directory.
 *
 * A blob is written to `.tmp/` in the same file system and made visible by one rename (one link for `ifAbsent`, which
 * only one of several writers can win). State after a crash, by its moment:
 *   while writing           a part in .tmp, which no reader looks at; removed at a later opening
 *   after the file's sync   the same
 *   after the rename        the new blob; before it the old one: readers never see another state
 *   between link and unlink the blob, and a second name for it in .tmp, whose removal does not touch the blob
 * The content is synced before the rename and the directory after it, so an acknowledged blob survives a power failure.
 * In a new directory, where it replaces nothing, both are synced together after the rename. A blob put `later` is synced after the rename: a power failure may leave it missing or damaged, until `keep`.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { access, link, mkdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import type { BlobHead, Blobs, ByteRange, PresignedRequest, PutOptions } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, StoreLimitExceeded } from "../../ports/errors.ts";
import {
  checkBlobKey,
  checkContentType,
  checkListing,
  checkRange,
  checkSize,
  DEFAULT_CONTENT_TYPE,
  MAX_PAGE_BLOBS,
} from "../blobs-limits.ts";
import { type ListingIdentity, openCursor, sealCursor } from "../cursor.ts";
import { DiskTurns, LatePlaces, syncFile, syncFolders } from "./blobs-disk.ts";
import { isErrno, type OpenBlob, openBlobFile, writeBlobFile } from "./blobs-file.ts";
import { fileOf } from "./blobs-keys.ts";
import { blobsBelow } from "./blobs-list.ts";
import { type BlobPresign, presign } from "./blobs-presign.ts";

export interface BlobsOptions {
  clock: Pick<Clock, "now">;
  presign: BlobPresign;
  /** The owner of a blob, by its key; owners take turns at the disk. Default: one owner for all. */
  ownerOf?: (key: string) => string;
  /** Resolves when all that was recorded before is on the disk; called before a blob is deleted. */
  recorded?: () => Promise<void>;
}

export interface LocalBlobs extends Blobs {
  /** Head and content of one version of a blob, unaffected by later writes; the caller closes it. */
  open(key: string): Promise<OpenBlob | undefined>;
}

/** Files of a page open concurrently. */
const MAX_CONCURRENT_HEADS = 32;
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
/** Most attempts to create a directory that a concurrent deletion prunes; more never happen. */
const MAX_PLACING_ATTEMPTS = 16;

/** Makes a directory and those above it. @returns the directories that have a new entry */
async function makeDirectory(directory: string): Promise<string[]> {
  let first: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      first = await mkdir(directory, { recursive: true, mode: 0o700 });
      break;
    } catch (error) {
      // A deletion prunes the directories above meanwhile.
      if (!isErrno(error, "ENOENT") || attempt === MAX_PLACING_ATTEMPTS) throw error;
    }
  }
  const changed: string[] = [];
  if (first === undefined) return changed;
  for (let made = directory; made.length >= first.length; made = dirname(made)) changed.push(dirname(made));
  return changed;
}

class FileBlobs implements LocalBlobs {
  readonly #root: string;
  readonly #options: BlobsOptions;
  readonly #turns = new DiskTurns();
  readonly #late = new LatePlaces(this.#turns);

  constructor(root: string, options: BlobsOptions) {
    this.#root = root;
    this.#options = options;
  }

  async open(key: string): Promise<OpenBlob | undefined> {
    checkBlobKey(key);
    return openBlobFile(fileOf(this.#root, key), key);
  }

  async get(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    checkRange(range);
    const blob = await this.open(key);
    if (blob === undefined) return undefined;
    try {
      return await blob.read(range);
    } finally {
      await blob.close();
    }
  }

  async stream(key: string, range?: ByteRange): Promise<Readable | undefined> {
    checkRange(range);
    const blob = await this.open(key);
    return blob?.stream(range);
  }

  async head(key: string): Promise<BlobHead | undefined> {
    const blob = await this.open(key);
    await blob?.close();
    return blob?.head;
  }

  async put(
    key: string,
    body: Uint8Array | Readable,
    options: PutOptions = {},
  ): Promise<{ etag: string; size: number }> {
    const { contentType = DEFAULT_CONTENT_TYPE, ifAbsent = false, later = false } = options;
    checkBlobKey(key);
    checkContentType(contentType);
    // A source may fail before it is read, which without a listener would end the process. Reading it reports the
    // error.
    if (body instanceof Readable) body.on("error", () => {});
    const temporary = join(this.#root, ".tmp", `${process.pid}-${randomUUID()}`);
    const lastModified = new Date(this.#options.clock.now()).toISOString();
    try {
      if (ifAbsent) await this.#refuseIfThere(key);
      const owner = this.#options.ownerOf?.(key) ?? "";
      const written = await writeBlobFile(temporary, body, { contentType, lastModified });
      const file = fileOf(this.#root, key);
      if (later) this.#late.add(key, { owner, file, folders: await this.#place(temporary, file, ifAbsent) });
      else await this.#turns.inTurn(owner, () => this.#placeForGood(temporary, file, ifAbsent));
      return written;
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      await rm(temporary, { force: true });
      throw error;
    }
  }

  keep(prefix: string): Promise<void> {
    return this.#late.keep(prefix);
  }

  async isWhole(key: string): Promise<boolean> {
    // A file that a power failure damaged has no sound trailer, or not the content of its hash.
    const blob = await this.open(key).catch(() => undefined);
    if (blob === undefined) return false;
    try {
      return (
        createHash("sha256")
          .update(await blob.read())
          .digest("hex") === blob.head.etag
      );
    } finally {
      await blob.close();
    }
  }

  async list(
    prefix: string,
    options: { limit?: number; cursor?: string } = {},
  ): Promise<{ blobs: BlobHead[]; cursor?: string }> {
    const { limit = MAX_PAGE_BLOBS, cursor } = options;
    checkListing(prefix, limit);
    const listing: ListingIdentity = ["blobs", prefix];
    const after = cursor === undefined ? undefined : openCursor(listing, cursor);
    const found: { key: string; path: string }[] = [];
    for await (const blob of blobsBelow(this.#root, prefix, after)) {
      // One more than requested, to learn whether another page follows.
      if (found.push(blob) > limit) break;
    }
    const more = found.length > limit && found.pop() !== undefined;
    const blobs = await headsOf(found);
    const last = found.at(-1);
    return more && last !== undefined ? { blobs, cursor: sealCursor(listing, last.key) } : { blobs };
  }

  async delete(key: string): Promise<void> {
    checkBlobKey(key);
    await this.#options.recorded?.();
    const file = fileOf(this.#root, key);
    try {
      await unlink(file);
    } catch (error) {
      if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return;
      throw error;
    }
    await this.#prune(dirname(file));
  }

  async presignGet(
    key: string,
    { expiresInSeconds, fileName }: { expiresInSeconds: number; fileName?: string },
  ): Promise<PresignedRequest> {
    checkBlobKey(key);
    const name = fileName === undefined ? {} : { name: fileName.toWellFormed() };
    return this.#presign({ key, method: "GET", ...name }, expiresInSeconds);
  }

  async presignPut(
    key: string,
    { expiresInSeconds, contentType, size }: { expiresInSeconds: number; contentType: string; size: number },
  ): Promise<PresignedRequest> {
    checkBlobKey(key);
    checkContentType(contentType);
    checkSize(size);
    return this.#presign({ key, method: "PUT", type: contentType, size }, expiresInSeconds);
  }

  #presign(claims: Parameters<typeof presign>[1], expiresInSeconds: number): PresignedRequest {
    const { clock, presign: presigner } = this.#options;
    return presign(presigner, claims, clock.now(), expiresInSeconds);
  }

  /** Avoids writing a body that `link` would refuse. */
  async #refuseIfThere(key: string): Promise<void> {
    const there = await access(fileOf(this.#root, key)).then(
      () => true,
      () => false,
    );
    if (there) throw alreadyThere();
  }

  async #placeForGood(temporary: string, file: string, ifAbsent: boolean): Promise<void> {
    const made = await makeDirectory(dirname(file));
    const replacesNothing = made.length > 0;
    if (!replacesNothing) await syncFile(temporary);
    const folders = new Set([...(await this.#place(temporary, file, ifAbsent)), ...made]);
    await Promise.all([replacesNothing ? syncFile(file) : undefined, syncFolders(folders)]);
  }

  /** Makes a written file visible. @returns the directories to sync */
  async #place(temporary: string, file: string, ifAbsent: boolean): Promise<Set<string>> {
    const changed = new Set([dirname(file), ...this.#late.foldersAbove(file)]);
    for (let attempt = 1; ; attempt++) {
      try {
        await (ifAbsent ? link(temporary, file) : rename(temporary, file));
        break;
      } catch (error) {
        if (isErrno(error, "EEXIST") && ifAbsent) throw alreadyThere();
        if (isErrno(error, "ENAMETOOLONG")) throw tooLong();
        if (!isErrno(error, "ENOENT") || attempt === MAX_PLACING_ATTEMPTS) throw error;
        for (const directory of await makeDirectory(dirname(file))) changed.add(directory);
      }
    }
    if (ifAbsent) await unlink(temporary);
    return changed;
  }

  /** Removes a directory and its ancestors while they are empty; rmdir fails on others. */
  async #prune(directory: string): Promise<void> {
    for (let empty = directory; empty.length > this.#root.length; empty = dirname(empty)) {
      try {
        await rmdir(empty);
      } catch {
        return;
      }
    }
  }
}

const alreadyThere = () => new ConditionFailed("A file is there already");
const tooLong = () => new StoreLimitExceeded("A blob's key is too long for the file system of this machine");

/** Heads in the given order, without blobs deleted meanwhile. */
async function headsOf(found: readonly { key: string; path: string }[]): Promise<BlobHead[]> {
  const heads: BlobHead[] = [];
  for (let at = 0; at < found.length; at += MAX_CONCURRENT_HEADS) {
    const some = found.slice(at, at + MAX_CONCURRENT_HEADS).map(async ({ key, path }) => {
      const blob = await openBlobFile(path, key);
      await blob?.close();
      return blob?.head;
    });
    for (const head of await Promise.all(some)) if (head !== undefined) heads.push(head);
  }
  return heads;
}

/** Removes parts that crashes left; no write takes an hour. */
function removeLeftovers(directory: string, now: number): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > LEFTOVER_AGE_MS) rmSync(path, { force: true, recursive: true });
  }
}

/**
 * Opens the blobs of one machine; creates missing directories, readable by their owner only.
 * @throws RangeError for a presigning secret under 32 bytes
 */
export function openBlobs(root: string, options: BlobsOptions): LocalBlobs {
  if (options.presign.secret.length < 32) throw new RangeError("The presigning secret has at least 32 bytes");
  const absolute = resolve(root);
  const temporary = join(absolute, ".tmp");
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  removeLeftovers(temporary, options.clock.now());
  return new FileBlobs(absolute, options);
}

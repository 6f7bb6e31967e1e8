/**
 * Brings files and the folders that name them to the disk. The owners of files take turns, and few syncs run at once, so
 * that one owner's many files delay another's by one file, and reads find a free thread beside them.
 */
import { open } from "node:fs/promises";
import { sep } from "node:path";
import { isErrno } from "./blobs-file.ts";
import { FairQueue } from "./fair-queue.ts";

/** Files that are brought to the disk at once; each takes two threads of the file system (bin/local/file-threads.ts). */
const MAX_SYNCS_AT_ONCE = 2;

/** Runs work on the disk in turns, by owner. */
export class DiskTurns {
  readonly #waiting = new FairQueue<() => void>();
  #working = 0;

  async inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(owner, resolve);
    this.#advance();
    await promise;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#advance();
    }
  }

  #advance(): void {
    while (this.#working < MAX_SYNCS_AT_ONCE) {
      const next = this.#waiting.take();
      if (next === undefined) return;
      this.#working += 1;
      next();
    }
  }
}

/** Makes a folder's entries durable. Windows cannot; a deleted folder has nothing to keep. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EPERM", "EISDIR", "EACCES", "EINVAL")) throw error;
  }
}

export async function syncFolders(folders: Iterable<string>): Promise<void> {
  for (const folder of folders) await syncFolder(folder);
}

/** Brings a file's content to the disk. A deleted file has nothing to keep. */
export async function syncFile(path: string): Promise<void> {
  try {
    await using handle = await open(path, "r+");
    await handle.datasync();
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
  }
}

interface LatePlace {
  owner: string;
  file: string;
  folders: ReadonlySet<string>;
  /** Rejects with the disk's fault; then the next `keep` tries again. */
  done: Promise<void>;
}

/** Visible files that are brought to the disk in the background, by key. */
export class LatePlaces {
  readonly #turns: DiskTurns;
  readonly #places = new Map<string, LatePlace>();

  constructor(turns: DiskTurns) {
    this.#turns = turns;
  }

  add(key: string, place: Omit<LatePlace, "done">): void {
    this.#begin(key, place);
  }

  /** The folders above a file whose entries are not on the disk yet. */
  foldersAbove(file: string): string[] {
    const folders = this.#places.values().flatMap((place) => place.folders.values());
    return [...folders.filter((folder) => file.startsWith(folder + sep))];
  }

  /** Resolves when the files of all keys with this prefix are on the disk. @throws the error of the operating system */
  async keep(prefix: string): Promise<void> {
    const places = [...this.#places].filter(([key]) => key.startsWith(prefix));
    const results = await Promise.allSettled(places.map(([, { done }]) => done));
    for (const [index, [key, place]] of places.entries()) {
      if (results[index]?.status === "rejected" && this.#places.get(key) === place) await this.#begin(key, place);
    }
  }

  #begin(key: string, { owner, file, folders }: Omit<LatePlace, "done">): Promise<void> {
    const done = this.#turns.inTurn(owner, async () => {
      await Promise.all([syncFile(file), syncFolders(folders)]);
    });
    const place: LatePlace = { owner, file, folders, done };
    this.#places.set(key, place);
    done.then(
      () => {
        if (this.#places.get(key) === place) this.#places.delete(key);
      },
      // Told by `keep`.
      () => undefined,
    );
    return done;
  }
}

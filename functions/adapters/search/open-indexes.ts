/** The indexes that a process has open: those searched last, by name. */
import type { PassageHit, PassageIndexes, PassageQuestion } from "../../ports/passage-index.ts";
import { type OpenIndex, openIndex, updateIndex } from "./full-text-file.ts";

/**
 * Most indexes that stay open. An open one holds its file's bytes on the disk and a cache of 2 MB in memory; a
 * function's disk of 512 MB has room for this many of the largest (npm run bench -- search).
 */
const MAX_OPEN_INDEXES = 8;

/** Searches and updates in this very thread: for functions in the cloud, which serve one request at a time. */
export function openPassageIndexes(): PassageIndexes {
  const open = new Map<string, OpenIndex>();

  function use(name: string, index: OpenIndex): OpenIndex {
    open.delete(name);
    open.set(name, index);
    return index;
  }

  function openFor(name: string, bytes: Uint8Array): OpenIndex {
    const index = use(name, openIndex(bytes));
    for (const [oldest, old] of open) {
      if (open.size <= MAX_OPEN_INDEXES) break;
      open.delete(oldest);
      old.close();
    }
    return index;
  }

  return {
    update: async (index, change) => updateIndex(index, change),
    async search(name, load, question): Promise<PassageHit[] | undefined> {
      const known = open.get(name);
      if (known !== undefined) return use(name, known).search(question);
      const bytes = await load();
      if (bytes === undefined) return undefined;
      // Another search may have opened it meanwhile.
      const index = open.get(name) ?? openFor(name, bytes);
      return index.search(question);
    },
    async close() {
      for (const index of open.values()) index.close();
      open.clear();
    },
  };
}

/** A question to the thread, and its answer. `load`: the thread has no index of the name, and wants its bytes. */
export type ThreadRequest = { id: number } & (
  | { kind: "update"; index: Uint8Array | undefined; change: Parameters<PassageIndexes["update"]>[1] }
  | { kind: "search"; name: string; bytes?: Uint8Array; question: PassageQuestion }
);
export type ThreadAnswer = { id: number } & ({ value: unknown } | { wants: "bytes" } | { error: string });

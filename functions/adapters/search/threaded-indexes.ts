/**
 * Indexes of passages in a thread of their own: for the service on one machine, whose own thread answers all requests.
 * The thread starts with the first search or update.
 */
import { Worker } from "node:worker_threads";
import type { PassageHit, PassageIndexes } from "../../ports/passage-index.ts";
import type { ThreadAnswer, ThreadRequest } from "./open-indexes.ts";

/** Omits a member of each type of a union. */
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

interface Waiting {
  resolve(answer: ThreadAnswer): void;
  reject(error: Error): void;
}

/** The thread, and what is asked of it. */
interface SearchThread {
  ask(request: Without<ThreadRequest, "id">): Promise<ThreadAnswer>;
  close(): Promise<void>;
}

function searchThread(bundled: URL | undefined): SearchThread {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let last = 0;

  function failAll(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  /** Fails what the thread has not answered; the next request starts another one. */
  function lose(lost: Worker, error: Error): void {
    if (thread !== lost) return;
    thread = undefined;
    failAll(error);
  }

  function start(): Worker {
    const started = new Worker(bundled ?? new URL("./search-thread.ts", import.meta.url));
    started.on("message", (answer: ThreadAnswer) => {
      waiting.get(answer.id)?.resolve(answer);
      waiting.delete(answer.id);
      // The process may end while nobody waits.
      if (waiting.size === 0) started.unref();
    });
    started.on("error", (error) => lose(started, error));
    started.on("exit", (code) => lose(started, new Error(`The search thread ended with code ${code}`)));
    return started;
  }

  return {
    async ask(request) {
      last += 1;
      const id = last;
      thread ??= start();
      thread.ref();
      const answered = new Promise<ThreadAnswer>((resolve, reject) => waiting.set(id, { resolve, reject }));
      thread.postMessage({ ...request, id });
      const answer = await answered;
      if ("error" in answer) throw new Error(`The search thread failed: ${answer.error}`);
      return answer;
    },
    async close() {
      const ended = thread;
      thread = undefined;
      failAll(new Error("The search thread is closed"));
      await ended?.terminate();
    },
  };
}

const valueIn = <T>(answer: ThreadAnswer): T | undefined => ("value" in answer ? (answer.value as T) : undefined);

/** @param bundled the bundled search-thread.ts; without it the thread runs from the sources */
export function openThreadedIndexes(bundled?: URL): PassageIndexes {
  const thread = searchThread(bundled);
  return {
    async update(index, change) {
      const bytes = valueIn<Uint8Array>(await thread.ask({ kind: "update", index, change }));
      if (bytes === undefined) throw new Error("The search thread gave no index");
      return bytes;
    },
    async search(name, load, question) {
      const first = await thread.ask({ kind: "search", name, question });
      if (!("wants" in first)) return valueIn<PassageHit[]>(first);
      const bytes = await load();
      return bytes === undefined ? undefined : valueIn(await thread.ask({ kind: "search", name, bytes, question }));
    },
    close: () => thread.close(),
  };
}

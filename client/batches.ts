/** Batches as one call: an iterator over documents as they end. */
import { type BatchDocument, type BatchFile, type BatchOptions, BatchRun } from "./batch-runs.ts";
import type { SheafClient } from "./client.ts";
import type { ResultOf } from "./document-runs.ts";
import type { SchemaInput } from "./schema-types.ts";

/** A batch has no time of its own; each document has 300 s. */
const BATCH_TIMEOUT_SECONDS = 3600;

/** Methods throw as SheafClient's do. */
export class Batches {
  readonly #client: SheafClient;

  constructor(client: SheafClient) {
    this.#client = client;
  }

  /**
   * Processes documents as one batch and yields each as it ends; a document that is refused or fails is yielded too. A
   * document above 4 MB, which the cloud accepts in no batch, is processed beside it. Whoever stops reading leaves a
   * started batch at work: `jobs.cancel` ends it. With an `idempotencyKey` of the caller's own, a second call with the
   * same files, also of another process, joins the first one's batch.
   * @param options.timeoutSeconds default: an hour
   * @throws SheafWaitTimeout, and TypeError for what is no schema
   */
  async *run<const Schema extends SchemaInput = never, Output = never>(
    files: Iterable<BatchFile> | AsyncIterable<BatchFile>,
    options: BatchOptions<Schema, Output> = {},
  ): AsyncGenerator<BatchDocument<ResultOf<Schema, Output>>, void, undefined> {
    const ended: BatchDocument[] = [];
    let wake = (): void => undefined;
    const stop = new AbortController();
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
    const { timeoutSeconds = BATCH_TIMEOUT_SECONDS } = options;
    const given = { ...options, timeoutSeconds, signal } as BatchOptions<SchemaInput, unknown>;
    const run = new BatchRun(this.#client, given, (document) => {
      ended.push(document);
      wake();
    });
    const taken = () => ended.splice(0) as BatchDocument<ResultOf<Schema, Output>>[];
    try {
      let index = 0;
      for await (const file of files) {
        await run.add(file, index++);
        yield* taken();
      }
      let over = false;
      const work = run.finish().finally(() => {
        over = true;
        wake();
      });
      // It is awaited below; until then a rejection must not be unhandled.
      work.catch(() => undefined);
      while (!over) {
        yield* taken();
        if (ended.length === 0 && !over) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      await work;
      yield* taken();
    } finally {
      stop.abort();
      await run.discard();
    }
  }
}

/** Batches: many documents with one command, each told as it ends. */
import type { SheafClient } from "./client.ts";
import { commandOf, Documents, type ResultOptions, type TypedCommand } from "./document-runs.ts";
import { declarationOf, isLarge } from "./documents.ts";
import { SheafError, SheafJobError } from "./errors.ts";
import type { Json } from "./json.ts";
import type { Document, WorkOptions } from "./options.ts";
import type { SchemaInput } from "./schema-types.ts";
import type { ProcessingJob, UploadCommand } from "./types.ts";

/** A document of a batch; a name and a type beside it win over its own. */
export type BatchFile = Document | { document: Document; fileName?: string | undefined; mimeType?: string | undefined };

export interface BatchOptions<Schema = never, Output = never>
  extends TypedCommand<Schema, Output>,
    ResultOptions,
    WorkOptions {
  /** The most documents at once, 1 to 100; default 5. */
  maxConcurrency?: number | undefined;
}

interface Place {
  /** From 0, in the order of the files. */
  index: number;
  fileName: string | undefined;
}

type Outcome<Data> =
  | { status: "COMPLETED"; data: Data; error?: undefined }
  | { status: "FAILED" | "CANCELLED"; error: string; data?: undefined };

/** A document that was refused at its upload. */
export type RefusedDocument = Place & { status: "REFUSED"; error: string; data?: undefined; guid?: undefined };

/** A document that has ended. `guid`, and `batchIndex` where there is one, ask for its pages and source locations. */
export type BatchDocument<Data = Json> =
  | (Place & Outcome<Data> & { guid: string; batchIndex?: number | undefined })
  | RefusedDocument;

/** Statuses that refuse a document for what it is; other refusals would hit the next documents too. */
const DOCUMENT_REFUSALS = [400, 413, 415, 422];

/** The list is read again when so large a share of the documents has ended: the service makes it of all of them each time. */
const MIN_ENDED_SHARE = 0.05;

/** The service's sentences for documents without data; any other text in the list is data. */
const ERROR_ENTRY = /^(Processing failed: |Processing timeout after |Cancelled$)/;

/** The documents of a call: a batch, and jobs of their own for the large ones. */
export class BatchRun {
  readonly #client: SheafClient;
  readonly #command: UploadCommand;
  readonly #maxConcurrency: number | undefined;
  readonly #key: string | undefined;
  readonly #options: ResultOptions;
  readonly #found: (ended: BatchDocument) => void;
  /** By index in the batch. */
  readonly #open = new Map<number, Place>();
  readonly #alone: (Place & { guid: string })[] = [];
  #guid: string | undefined;
  #started = false;

  /** @param found is told of each document once it has ended */
  constructor(client: SheafClient, options: BatchOptions<SchemaInput, unknown>, found: (ended: BatchDocument) => void) {
    const { maxConcurrency, timeoutSeconds, onProgress, signal, idempotencyKey, ...command } = options;
    this.#client = client;
    this.#command = commandOf(command);
    this.#maxConcurrency = maxConcurrency;
    this.#key = idempotencyKey;
    this.#options = { timeoutSeconds, onProgress, signal };
    this.#found = found;
  }

  /** Uploads a document. */
  async add(file: BatchFile, index: number): Promise<void> {
    const { document, ...own } = file instanceof Uint8Array || file instanceof Blob ? { document: file } : file;
    const options = { ...own, ...this.#work(`.${index}`) };
    const { fileName } = declarationOf(document, options);
    const place = { index, fileName: fileName === "omitted" ? undefined : fileName };
    try {
      if (isLarge(document)) {
        const { guid } = await new Documents(this.#client).start(document, { ...this.#command, ...options });
        this.#alone.push({ ...place, guid });
      } else {
        this.#guid ??= (await this.#client.createBatch({ maxConcurrency: this.#maxConcurrency }, this.#work(""))).guid;
        this.#open.set((await this.#client.uploadToBatch(this.#guid, document, options)).index, place);
      }
    } catch (error) {
      if (!(error instanceof SheafError && DOCUMENT_REFUSALS.includes(error.status))) throw error;
      this.#found({ ...place, status: "REFUSED", error: error.message });
    }
  }

  /** Deletes a batch that was not started; one under the caller's key may be another call's, with results. */
  async discard(): Promise<void> {
    if (this.#guid === undefined || this.#started || this.#key !== undefined) return;
    await this.#client.deleteJob(this.#guid).catch(() => undefined);
  }

  /** Starts the batch and waits for all documents. @throws SheafWaitTimeout */
  async finish(): Promise<void> {
    const batch = this.#open.size === 0 ? undefined : this.#guid;
    if (batch !== undefined) {
      const command = { ...this.#command, maxConcurrency: this.#maxConcurrency };
      await this.#client.processBatch(batch, command, this.#work(".run"));
      this.#started = true;
    }
    const alone = this.#alone.map((one) => this.#followOne(one));
    await Promise.all([...alone, batch === undefined ? undefined : this.#followBatch(batch)]);
  }

  /** The options of a request: the caller's key, made another for each. */
  #work(suffix: string): WorkOptions {
    return { signal: this.#options.signal, idempotencyKey: this.#key && this.#key + suffix };
  }

  async #followOne({ guid, ...place }: Place & { guid: string }): Promise<void> {
    const { onProgress: _ofTheBatch, ...wait } = this.#options;
    const job = await this.#client.wait(guid, wait);
    try {
      this.#found({ ...place, guid, status: "COMPLETED", data: await this.#client.data(job, wait) });
    } catch (error) {
      if (!(error instanceof SheafJobError)) throw error;
      this.#found({ ...place, guid, ...failureOf(job.status === "CANCELLED", error.message) });
    }
  }

  async #followBatch(guid: string): Promise<void> {
    let seen = 0;
    const least = this.#open.size * MIN_ENDED_SHARE;
    const onProgress = (job: ProcessingJob, seconds: number): void => {
      this.#options.onProgress?.(job, seconds);
      const ended = job.completedDocs + job.failedDocs;
      if (ended - seen < least) return;
      seen = ended;
      // A list that cannot be read now is read at the end.
      this.#collect(guid).catch(() => undefined);
    };
    await this.#collect(guid, await this.#client.wait(guid, { ...this.#options, onProgress }));
  }

  /** Tells of the documents that have ended. @param ended the batch's record, once it has ended */
  async #collect(guid: string, ended?: ProcessingJob): Promise<void> {
    const { json } = await this.#client.resultJson(guid, { signal: this.#options.signal });
    for (const [batchIndex, place] of [...this.#open]) {
      const entry = (Array.isArray(json) ? json[batchIndex] : undefined) ?? null;
      if (entry === null && ended === undefined) continue;
      this.#open.delete(batchIndex);
      this.#found({ ...place, guid, batchIndex, ...outcomeOf(entry, ended) });
    }
  }
}

const failureOf = (cancelled: boolean, error: string): Outcome<Json> => ({
  status: cancelled ? "CANCELLED" : "FAILED",
  error,
});

function outcomeOf(entry: Json, ended: ProcessingJob | undefined): Outcome<Json> {
  if (entry === null) return failureOf(ended?.status === "CANCELLED", ended?.error ?? "The document gave no data");
  if (typeof entry !== "string" || !ERROR_ENTRY.test(entry)) return { status: "COMPLETED", data: entry };
  return failureOf(entry === "Cancelled", entry);
}

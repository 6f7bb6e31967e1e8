/** Documents: upload, run, wait and result in one call. */
import type { SheafClient } from "./client.ts";
import { isLarge } from "./documents.ts";
import { SheafError } from "./errors.ts";
import type { Json } from "./json.ts";
import type { HeaderCommand, MapReduceCommand } from "./map-reduce-types.ts";
import type { Document, UploadOptions } from "./options.ts";
import type { Pipeline } from "./pipeline-builder.ts";
import { jsonSchemaOf } from "./schema.ts";
import type { DataOf, SchemaInput } from "./schema-types.ts";
import type { OcrCommand, PipelineDefinition, ProcessingJob, UploadAnswer, UploadCommand } from "./types.ts";
import type { WaitOptions } from "./wait.ts";

/** A command whose schema and pipeline tell the type of the result. */
export interface TypedCommand<Schema = never, Output = never>
  extends Omit<UploadCommand, "schema" | "pipeline" | "mapReduce"> {
  /** A schema of zod or TypeBox, a JSON Schema, or a shape such as `{ total: "number" }`. */
  schema?: Schema | undefined;
  pipeline?: Pipeline<Output> | PipelineDefinition | undefined;
}

/** A command for a long document; `schema` describes one record. */
export interface RecordsCommand<Schema = never, Header = never>
  extends Omit<TypedCommand<Schema>, "pipeline" | "extractionMode"> {
  /** How to cut the document; default: a chunk for each page. */
  chunks?: Omit<MapReduceCommand, "enabled" | "header"> | undefined;
  /** Pages with a schema of their own. */
  header?: (Omit<HeaderCommand, "enabled" | "schema"> & { schema?: Header | undefined }) | undefined;
}

/** The result of `documents.records`; a header is null where none was found. */
export interface Records<Header, Row> {
  header: Header | null;
  /** In the order of the document. */
  records: Row[];
}

/** How long to wait, and what to tell meanwhile. */
export type ResultOptions = Omit<WaitOptions, "pollSeconds">;

/** The type of a command's result: its pipeline's output, its schema's data, or any JSON. */
export type ResultOf<Schema, Output> = [Output] extends [never]
  ? [Schema] extends [never]
    ? Json
    : DataOf<Schema>
  : Output;

/** The result of a job that ended well. With a shortfall `job.status` is PARTIAL, and `job.error` names it. */
export interface Processed<Data> {
  guid: string;
  /** The result; a text of a run that only reads. */
  data: Data;
  job: ProcessingJob;
}

/** A job that was started, with the type of its result. */
export interface StartedJob<Data> {
  guid: string;
  /** Waits for the result. @throws SheafJobError when the job FAILED or was CANCELLED; SheafWaitTimeout */
  result(options?: ResultOptions): Promise<Processed<Data>>;
}

/** The command as the service reads it. @throws TypeError for what is no schema */
export function commandOf({ schema, pipeline, ...rest }: TypedCommand<SchemaInput, unknown>): UploadCommand {
  const plain = schema === undefined ? {} : { schema: jsonSchemaOf(schema) };
  // A pipeline is its definition in JSON.
  return { ...rest, ...plain, pipeline: pipeline as PipelineDefinition | undefined };
}

/** A started job of which the type of the result is known. */
export const startedJob = <Data>(client: SheafClient, guid: string): StartedJob<Data> => ({
  guid,
  async result(options = {}) {
    const job = await client.wait(guid, options);
    return { guid, data: (await client.data(job, options)) as Data, job };
  },
});

/** Methods throw as SheafClient's do, and TypeError for what is no schema. */
export class Documents {
  readonly #client: SheafClient;

  constructor(client: SheafClient) {
    this.#client = client;
  }

  /**
   * Uploads a document, processes it, and waits for the result, whose type is that of the schema or the pipeline. With
   * an `idempotencyKey` of the caller's own, a second call, also of another process, joins the first one's job.
   * @throws SheafJobError when the job FAILED or was CANCELLED; SheafWaitTimeout
   */
  async process<const Schema extends SchemaInput = never, Output = never>(
    document: Document,
    { timeoutSeconds, onProgress, ...options }: TypedCommand<Schema, Output> & UploadOptions & ResultOptions = {},
  ): Promise<Processed<ResultOf<Schema, Output>>> {
    const job = await this.start<Schema, Output>(document, options as TypedCommand<Schema, Output> & UploadOptions);
    return job.result({ timeoutSeconds, onProgress, signal: options.signal });
  }

  /** Uploads a document and starts its run. */
  async start<const Schema extends SchemaInput = never, Output = never>(
    document: Document,
    { fileName, idempotencyKey, signal, ...command }: TypedCommand<Schema, Output> & UploadOptions = {},
  ): Promise<StartedJob<ResultOf<Schema, Output>>> {
    const metadata = commandOf(command as TypedCommand<SchemaInput, unknown>);
    const upload = { fileName, mimeType: command.mimeType, idempotencyKey, signal };
    if (!isLarge(document)) {
      const { guid } = await this.#client.uploadFiles(document, { ...upload, metadata });
      return startedJob(this.#client, guid);
    }
    return this.#uploadAndRun(document, upload, (guid, work) => this.#client.process(guid, metadata, work));
  }

  /**
   * Extracts the records of a long document chunk by chunk (map-reduce), and waits for them. Otherwise as `process`.
   * @throws SheafJobError when the job FAILED or was CANCELLED; SheafWaitTimeout
   */
  async records<const Schema extends SchemaInput = never, const Header extends SchemaInput = never>(
    document: Document,
    { chunks, header, ...command }: RecordsCommand<Schema, Header> & UploadOptions & ResultOptions = {},
  ): Promise<Processed<Records<ResultOf<Header, never>, ResultOf<Schema, never>>>> {
    const { schema, ...pages } = header ?? {};
    const own = schema === undefined ? {} : { schema: jsonSchemaOf(schema) };
    const mapReduce = { enabled: true, ...chunks, header: header && { enabled: true, ...pages, ...own } };
    return this.process(document, { ...command, mapReduce } as TypedCommand) as Promise<Processed<never>>;
  }

  /** Reads the text of a document: plain text, Markdown, or JSON lines. */
  async ocr(
    document: Document,
    {
      fileName,
      idempotencyKey,
      signal,
      timeoutSeconds,
      onProgress,
      ...command
    }: OcrCommand & UploadOptions & ResultOptions = {},
  ): Promise<Processed<string>> {
    const upload = { fileName, mimeType: command.mimeType, idempotencyKey, signal };
    const start = (guid: string, work: UploadOptions) => this.#client.ocr(guid, command, work);
    const job = await this.#uploadAndRun<string>(document, upload, start);
    return job.result({ timeoutSeconds, onProgress, signal });
  }

  /** Stores a document, also a large one; `jobs.start` processes it. */
  upload(document: Document, options: UploadOptions = {}): Promise<UploadAnswer> {
    return isLarge(document) ? this.#client.uploadDirect(document, options) : this.#client.upload(document, options);
  }

  /**
   * One idempotency key of the caller's covers both requests. Deletes a document whose run is refused, but none under
   * the caller's key: that may be an earlier call's, with its results.
   */
  async #uploadAndRun<Data>(
    document: Document,
    { idempotencyKey: key, ...options }: UploadOptions,
    start: (guid: string, work: UploadOptions) => Promise<UploadAnswer>,
  ): Promise<StartedJob<Data>> {
    const { guid } = await this.upload(document, { ...options, idempotencyKey: key });
    try {
      await start(guid, { signal: options.signal, idempotencyKey: key && `${key}.run` });
    } catch (error) {
      const refused = error instanceof SheafError && error.status >= 400 && error.status < 500;
      if (refused && key === undefined) await this.#client.deleteJob(guid).catch(() => undefined);
      throw error;
    }
    return startedJob(this.#client, guid);
  }
}

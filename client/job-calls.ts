/** Jobs: documents that were uploaded, batches, operations. */
import type { SheafClient } from "./client.ts";
import { commandOf, type ResultOf, type StartedJob, startedJob, type TypedCommand } from "./document-runs.ts";
import type { Json } from "./json.ts";
import type { CallOptions, PageImageOptions, RunOptions, WorkOptions } from "./options.ts";
import type { SchemaInput } from "./schema-types.ts";
import type { JobPage, JobQuery, JobResult, ProcessingJob, SourceLocations } from "./types.ts";
import type { WaitOptions } from "./wait.ts";

/** Methods throw as SheafClient's do. */
export class Jobs {
  readonly #client: SheafClient;

  constructor(client: SheafClient) {
    this.#client = client;
  }

  /** Starts a run over an uploaded document; with `dependsOn`, once that job has ended. */
  async start<const Schema extends SchemaInput = never, Output = never>(
    guid: string,
    command: TypedCommand<Schema, Output> = {},
    options: WorkOptions & { dependsOn?: string | undefined } = {},
  ): Promise<StartedJob<ResultOf<Schema, Output>>> {
    await this.#client.process(guid, commandOf(command as TypedCommand<SchemaInput, unknown>), options);
    return startedJob(this.#client, guid);
  }

  /** Waits until the job is COMPLETED, FAILED, PARTIAL or CANCELLED. @throws SheafWaitTimeout */
  wait(guid: string, options?: WaitOptions): Promise<ProcessingJob> {
    return this.#client.wait(guid, options);
  }

  /** The job's record now. */
  status(guid: string, options?: CallOptions): Promise<ProcessingJob> {
    return this.#client.status(guid, options);
  }

  /** The main result, JSON or text, as it was produced; a 404 until there is one. */
  result(guid: string, options?: RunOptions): Promise<JobResult> {
    return this.#client.result(guid, options);
  }

  /** The main table of a JSON result as CSV. @param options.bom adds a byte order mark, for Excel */
  csv(guid: string, options?: RunOptions & { bom?: boolean | undefined }): Promise<Uint8Array> {
    return this.#client.resultCsv(guid, options);
  }

  /** A JSON result as a workbook (.xlsx). */
  excel(guid: string, options?: RunOptions): Promise<Uint8Array> {
    return this.#client.resultExcel(guid, options);
  }

  /** The places on the pages that the values come from; the job needs `sourceLocations: true`. */
  sourceLocations(guid: string, options?: RunOptions & { batchIndex?: number | undefined }): Promise<SourceLocations> {
    return this.#client.sourceLocations(guid, options);
  }

  /** A page as a PNG. @param pageIndex from 0 */
  pageImage(guid: string, pageIndex: number, options?: PageImageOptions): Promise<Uint8Array> {
    return this.#client.pageImage(guid, pageIndex, options);
  }

  /** One page of the organization's jobs, newest first. */
  list(query?: JobQuery, options?: CallOptions): Promise<JobPage> {
    return this.#client.list(query, options);
  }

  /** Ends a job's run as CANCELLED; a 409 when it has already ended. */
  cancel(guid: string, options?: CallOptions): Promise<ProcessingJob> {
    return this.#client.cancel(guid, options);
  }

  /** Deletes a job that has ended, with its files. */
  remove(guid: string, options?: CallOptions): Promise<{ jobsDeleted: number; errors: Json[] }> {
    return this.#client.deleteJob(guid, options);
  }
}

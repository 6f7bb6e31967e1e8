import { jsonBody, parseAnswer, pathSegment, resultOf } from "./answers.ts";
import { BillingCalls } from "./billing-calls.ts";
import { change, postWork, read, readBytes } from "./calls.ts";
import { CaseCalls } from "./case-calls.ts";
import { ConfigurationCalls } from "./configuration-calls.ts";
import { type AnnouncedDocument, announce, documentPart, sendToStore, uploadForm } from "./documents.ts";
import { SheafError } from "./errors.ts";
import { FormCalls } from "./form-calls.ts";
import { Connection, type ConnectionOptions } from "./http.ts";
import { readData, readResult, readStatus } from "./job-reads.ts";
import type { Json } from "./json.ts";
import { KeyCalls } from "./key-calls.ts";
import { KnowledgeBaseCalls } from "./knowledge-base-calls.ts";
import { multipart } from "./multipart.ts";
import { OperationCalls } from "./operation-calls.ts";
import type {
  CallOptions,
  Document,
  PageImageOptions,
  RunOptions,
  UploadFilesOptions,
  UploadOptions,
  WorkOptions,
} from "./options.ts";
import { PipelineCalls } from "./pipeline-calls.ts";
import { ProviderCalls } from "./provider-calls.ts";
import { SettingsCalls } from "./settings-calls.ts";
import { TemplateCalls } from "./template-calls.ts";
import type {
  BatchAnswer,
  BatchCommand,
  BatchPlace,
  Health,
  JobDependency,
  JobPage,
  JobQuery,
  JobResult,
  Me,
  OcrCommand,
  ProcessingJob,
  SourceLocations,
  UploadAnswer,
  UploadCommand,
  UploadTicket,
} from "./types.ts";
import { type WaitOptions, waitForJob } from "./wait.ts";
import { WebhookCalls } from "./webhook-calls.ts";

/** The service holds a synchronous call open for at most this time. */
const MAX_SYNC_HOLD_MS = 28_000;

/**
 * The service's calls, typed. Every method throws SheafError with the service's message, SheafUnreachable when no
 * answer came, and the signal's reason when it was aborted.
 */
export class SheafClient {
  /** The receiver of job events, and their deliveries. */
  readonly webhooks: WebhookCalls;
  /** Work on finished jobs. */
  readonly operations: OperationCalls;
  /** Commands that the service stores under names. */
  readonly configurations: ConfigurationCalls;
  /** Folders of documents that the service keeps. */
  readonly cases: CaseCalls;
  /** Cases whose documents are searched. */
  readonly knowledgeBases: KnowledgeBaseCalls;
  /** Forms made of flat PDFs. */
  readonly forms: FormCalls;
  /** Forms that the service keeps and fills. */
  readonly templates: TemplateCalls;
  /** Prepaid tokens: the balance, its entries, quotes. */
  readonly billing: BillingCalls;
  /** Pipelines: graphs of nodes over a document, checked, and observed while they run. */
  readonly pipelines: PipelineCalls;
  /** API keys of the organization. */
  readonly keys: KeyCalls;
  /** Settings, quotas, and the audit. */
  readonly settings: SettingsCalls;
  /** The organization's own models and text recognition. */
  readonly providers: ProviderCalls;
  readonly #connection: Connection;

  /** @throws TypeError for an invalid address or key */
  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
    this.webhooks = new WebhookCalls(this.#connection);
    this.keys = new KeyCalls(this.#connection);
    this.settings = new SettingsCalls(this.#connection);
    this.billing = new BillingCalls(this.#connection);
    this.operations = new OperationCalls(this.#connection);
    this.forms = new FormCalls(this.#connection);
    this.pipelines = new PipelineCalls(this.#connection);
    this.templates = new TemplateCalls(this.#connection);
    this.cases = new CaseCalls(this.#connection);
    this.knowledgeBases = new KnowledgeBaseCalls(this.#connection);
    this.configurations = new ConfigurationCalls(this.#connection);
    this.providers = new ProviderCalls(this.#connection);
  }

  /** Stores a document; its job stays PENDING until `process` or `ocr` is called. */
  async upload(document: Document, options: UploadOptions = {}): Promise<UploadAnswer> {
    return postWork(this.#connection, "/document/upload", multipart([documentPart(document, options)]), options);
  }

  /** Creates a job without its document, and returns the address for the upload; `uploadDirect` does both. */
  async uploadUrl(file: AnnouncedDocument, options: WorkOptions = {}): Promise<UploadTicket> {
    return announce(this.#connection, file, options);
  }

  /**
   * Stores a document of up to 10 MB on any deployment: an API gateway accepts only about 4.5 MB in a request, so this
   * uploads to the file store itself. `process` and `ocr` check the document. With `caseId` it is a document of that case.
   */
  async uploadDirect(
    document: Document,
    options: UploadOptions & { caseId?: number | undefined } = {},
  ): Promise<UploadAnswer> {
    return sendToStore(this.#connection, document, options);
  }

  /** Starts a run over an uploaded document; with `dependsOn`, once that job has ended. */
  async process(
    guid: string,
    command: UploadCommand = {},
    { dependsOn, ...options }: WorkOptions & { dependsOn?: string | undefined } = {},
  ): Promise<UploadAnswer> {
    return postWork(this.#connection, `/document/process/${pathSegment(guid)}`, jsonBody(command), options, {
      dependsOn,
    });
  }

  /** Starts a run that only reads the document's text. */
  async ocr(guid: string, { format, ...rest }: OcrCommand = {}, options: WorkOptions = {}): Promise<UploadAnswer> {
    return postWork(
      this.#connection,
      `/document/ocr/${pathSegment(guid)}`,
      jsonBody({ ...rest, ocrFormat: format }),
      options,
      {
        format,
      },
    );
  }

  /** Stores a document and starts its run in one call. */
  async uploadFiles(document: Document, options: UploadFilesOptions = {}): Promise<UploadAnswer> {
    return postWork(this.#connection, "/document/upload-files", uploadForm(document, options), options);
  }

  /**
   * Like `uploadFiles`, with the result in the answer when there is one while the service holds the call open (28 s).
   * After that the job goes on; `wait` and `result` give its result.
   */
  async uploadFilesSync(
    document: Document,
    options: UploadFilesOptions = {},
  ): Promise<{ finished: true; result: JobResult } | ({ finished: false } & UploadAnswer)> {
    const answer = await this.#connection.send({
      method: "POST",
      path: "/document/upload-files/sync",
      body: uploadForm(document, options),
      idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      signal: options.signal,
      heldMs: MAX_SYNC_HOLD_MS,
    });
    if (answer.status === 202) return { finished: false, ...parseAnswer<UploadAnswer>(answer) };
    return { finished: true, result: resultOf(answer) };
  }

  /** Creates an empty batch. */
  async createBatch(
    command: { mimeType?: string | undefined; maxConcurrency?: number | undefined } = {},
    options: WorkOptions = {},
  ): Promise<BatchAnswer> {
    return postWork(this.#connection, "/document/batch", jsonBody(command), options);
  }

  /** Adds a document at the end of a batch; sequential calls keep their order. */
  async uploadToBatch(guid: string, document: Document, options: UploadOptions = {}): Promise<BatchPlace> {
    return postWork(
      this.#connection,
      `/document/batch/${pathSegment(guid)}/upload`,
      multipart([documentPart(document, options)]),
      options,
    );
  }

  /** Starts a run over all documents of a batch; `wait` and `resultJson` give its result. */
  async processBatch(
    guid: string,
    command: BatchCommand = {},
    options: WorkOptions = {},
  ): Promise<UploadAnswer & { maxConcurrency: number }> {
    return postWork(this.#connection, `/document/batch/${pathSegment(guid)}/process`, jsonBody(command), options);
  }

  /** Starts submitted documents whose start was lost. */
  async scheduleBatch(guid: string, options: WorkOptions = {}): Promise<UploadAnswer & { scheduled: boolean }> {
    return postWork(this.#connection, `/document/batch/${pathSegment(guid)}/schedule`, jsonBody({}), options);
  }

  /**
   * A job's record; with `waitSeconds` (whole seconds) the service answers when the job has ended, or after that time.
   */
  async status(guid: string, options: CallOptions & { waitSeconds?: number | undefined } = {}): Promise<ProcessingJob> {
    return readStatus(this.#connection, guid, options);
  }

  /** Waits until the job is COMPLETED, FAILED, PARTIAL or CANCELLED. @throws SheafWaitTimeout */
  async wait(guid: string, options: WaitOptions = {}): Promise<ProcessingJob> {
    return waitForJob((id, call) => this.status(id, call), guid, options);
  }

  /** The main result, JSON or text, as it was produced. */
  async result(guid: string, { run, signal }: RunOptions = {}): Promise<JobResult> {
    return readResult(this.#connection, pathOf("result", guid), { signal }, { run });
  }

  /** The data of a job that has ended, as `wait` gives it; a text as a string. @throws SheafJobError when it has none */
  async data(job: ProcessingJob, options?: CallOptions): Promise<Json> {
    return readData(this.#connection, job, options);
  }

  /** The main result as JSON; a text is a JSON string. */
  async resultJson(guid: string, { run, signal }: RunOptions = {}): Promise<JobResult & { kind: "json" }> {
    const result = await readResult(this.#connection, pathOf("result", guid, "/json"), { signal }, { run });
    if (result.kind !== "json") throw new SheafError(200, `The service answered ${result.contentType} instead of JSON`);
    return result;
  }

  /** The main table of a JSON result as CSV; a 415 for a text. @param bom adds a byte order mark, for Excel */
  async resultCsv(
    guid: string,
    { run, bom, ...options }: RunOptions & { bom?: boolean | undefined } = {},
  ): Promise<Uint8Array> {
    return readBytes(this.#connection, pathOf("result", guid, "/csv"), options, { run, bom: bom || undefined });
  }

  /** A JSON result as a workbook (.xlsx) with a sheet for each table; a 415 for a text. */
  async resultExcel(guid: string, { run, ...options }: RunOptions = {}): Promise<Uint8Array> {
    return readBytes(this.#connection, pathOf("result", guid, "/excel"), options, { run });
  }

  /** The source locations of the result's values; a 404 when `sourceLocations` was not set. */
  async sourceLocations(
    guid: string,
    { run, batchIndex, ...options }: RunOptions & { batchIndex?: number | undefined } = {},
  ): Promise<SourceLocations> {
    return read(this.#connection, pathOf("result", guid, "/source-locations"), options, { run, batchIndex });
  }

  /**
   * A page of the document as a PNG at 150 pixels an inch.
   * @param pageIndex from 0
   */
  async pageImage(guid: string, pageIndex: number, options: PageImageOptions = {}): Promise<Uint8Array> {
    const { locations, pointers, run, rendered } = options;
    const query = {
      rendered,
      ...(locations === true ? { locations, run } : {}),
      ...(pointers === undefined || pointers.length === 0 ? {} : { pointers: pointers.join(",") }),
    };
    return readBytes(this.#connection, pathOf("image", guid, `/${pageIndex}`), options, query);
  }

  /** One page of the organization's jobs. */
  async list(query: JobQuery = {}, options?: CallOptions): Promise<JobPage> {
    return read(this.#connection, "/job/list", options, { ...query });
  }

  /** Ends a job's run as CANCELLED; a 409 when it has already ended. */
  async cancel(guid: string, options?: CallOptions): Promise<ProcessingJob> {
    return change(this.#connection, "POST", `/job/${pathSegment(guid)}/cancel`, options);
  }

  /** The job that a job depends on. */
  async dependencies(guid: string, options?: CallOptions): Promise<JobDependency> {
    return read(this.#connection, pathOf("dependencies", guid), options);
  }

  /** Deletes a job that has ended, with its files. */
  async deleteJob(guid: string, options?: CallOptions): Promise<{ jobsDeleted: number; errors: Json[] }> {
    return change(this.#connection, "DELETE", `/job/${pathSegment(guid)}`, options);
  }

  /** The organization and the scopes of this client's key. */
  async me(options?: CallOptions): Promise<Me> {
    return read(this.#connection, "/user/me", options);
  }

  /** The health of the service, with its engines. */
  async health(options?: CallOptions): Promise<Health> {
    return read(this.#connection, "/health", options);
  }
}

const pathOf = (call: string, guid: string, rest = ""): string => `/job/${call}/${pathSegment(guid)}${rest}`;

/** The calls for saved configurations. */
import { parseAnswer, pathSegment } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { Json } from "./json.ts";
import type { CallOptions, WorkOptions } from "./options.ts";
import type { UploadAnswer, UploadCommand } from "./types.ts";

/** A saved command with its name. Times are ISO 8601, UTC. */
export interface NamedConfiguration {
  id: number;
  name: string;
  organizationId: number;
  storagePath: string;
  createdAt: string;
  updatedAt: string;
}

/** As saved and read, with members that this client does not know. */
export type SavedCommand = UploadCommand & { [member: string]: Json | undefined };

const CONFIGURATION_PATH = "/configuration";

/** Methods throw as SheafClient's do. Names: no `/ \ ? # %`, up to 128 characters. */
export class ConfigurationCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All configurations, by name. */
  async list({ signal }: CallOptions = {}): Promise<NamedConfiguration[]> {
    return parseAnswer(await this.#connection.send({ method: "GET", path: CONFIGURATION_PATH, signal }));
  }

  /** Saves a command under a name; a 409 for a name in use, unless `overwrite`. */
  async save(
    name: string,
    command: SavedCommand,
    { overwrite, ...options }: WorkOptions & { overwrite?: boolean | undefined } = {},
  ): Promise<NamedConfiguration> {
    return this.#post(`${CONFIGURATION_PATH}/${pathSegment(name)}`, options, {
      body: { ...command },
      query: overwrite === true ? { overwrite: "true" } : {},
    });
  }

  /** The command as it was saved. */
  async get(name: string, { signal }: CallOptions = {}): Promise<SavedCommand> {
    return parseAnswer(
      await this.#connection.send({ method: "GET", path: `${CONFIGURATION_PATH}/${pathSegment(name)}`, signal }),
    );
  }

  async remove(name: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#connection.send({ method: "DELETE", path: `${CONFIGURATION_PATH}/${pathSegment(name)}`, signal });
  }

  /** Starts a run over an uploaded document with a configuration; `wait` and `result` give its result. */
  async process(guid: string, name: string, options: WorkOptions = {}): Promise<UploadAnswer> {
    return this.#post(`/document/process/${pathSegment(guid)}/with-configuration/${pathSegment(name)}`, options);
  }

  /** The same over all documents of a batch. */
  async processBatch(
    guid: string,
    name: string,
    { trace, ...options }: WorkOptions & { trace?: boolean | undefined } = {},
  ): Promise<UploadAnswer & { maxConcurrency: number }> {
    return this.#post(`/document/batch/${pathSegment(guid)}/process/with-configuration/${pathSegment(name)}`, options, {
      query: trace === undefined ? {} : { trace: String(trace) },
    });
  }

  async #post<T>(
    path: string,
    { idempotencyKey = crypto.randomUUID(), signal }: WorkOptions,
    { body = {}, query = {} }: { body?: Record<string, unknown>; query?: Record<string, string> } = {},
  ): Promise<T> {
    const answer = await this.#connection.send({
      method: "POST",
      path,
      query,
      body: { content: JSON.stringify(body), type: "application/json" },
      idempotencyKey,
      signal,
    });
    return parseAnswer<T>(answer);
  }
}

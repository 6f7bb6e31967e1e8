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

/** A save of a configuration. */
export interface ConfigurationRevision {
  revision: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Id of the API key; null where no release noted it. */
  savedBy: string | null;
}

/** A place where two revisions differ; null where one has nothing there. */
export interface ConfigurationDifference {
  /** JSON Pointer (RFC 6901), which goes on into schemas. */
  path: string;
  from: Json;
  to: Json;
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

  /** Saves a command under a name; a 409 for a name in use, unless `overwrite`, which makes the next revision. */
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

  /** The command as it was saved: the newest revision's, or that of `revision`. */
  async get(
    name: string,
    { revision, signal }: CallOptions & { revision?: number | undefined } = {},
  ): Promise<SavedCommand> {
    const path = `${CONFIGURATION_PATH}/${pathSegment(name)}${revision === undefined ? "" : `/revisions/${revision}`}`;
    return parseAnswer(await this.#connection.send({ method: "GET", path, signal }));
  }

  /** All revisions, newest first. A command pins one: `configuration: "invoices@7"`. */
  async revisions(name: string, { signal }: CallOptions = {}): Promise<ConfigurationRevision[]> {
    const path = `${CONFIGURATION_PATH}/${pathSegment(name)}/revisions`;
    return parseAnswer(await this.#connection.send({ method: "GET", path, signal }));
  }

  /** The places where two revisions differ. */
  async diff(
    name: string,
    { from, to, signal }: CallOptions & { from: number; to: number },
  ): Promise<ConfigurationDifference[]> {
    const path = `${CONFIGURATION_PATH}/${pathSegment(name)}/diff`;
    const query = { from: String(from), to: String(to) };
    return parseAnswer(await this.#connection.send({ method: "GET", path, query, signal }));
  }

  /** Saves a revision's command again, as the newest one. */
  async restore(name: string, revision: number, options: WorkOptions = {}): Promise<ConfigurationRevision> {
    return this.#post(`${CONFIGURATION_PATH}/${pathSegment(name)}/revisions/${revision}/restore`, options);
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

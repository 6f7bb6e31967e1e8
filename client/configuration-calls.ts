/** The calls for saved configurations. */
import { jsonBody, pathSegment } from "./answers.ts";
import { postWork, read, remove } from "./calls.ts";
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
const pathOf = (name: string): string => `${CONFIGURATION_PATH}/${pathSegment(name)}`;

/** Methods throw as SheafClient's do. Names: no `/ \ ? # %`, up to 128 characters. */
export class ConfigurationCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All configurations, by name. */
  list(options?: CallOptions): Promise<NamedConfiguration[]> {
    return read(this.#connection, CONFIGURATION_PATH, options);
  }

  /** Saves a command under a name; a 409 for a name in use, unless `overwrite`, which makes the next revision. */
  async save(
    name: string,
    command: SavedCommand,
    { overwrite, ...options }: WorkOptions & { overwrite?: boolean | undefined } = {},
  ): Promise<NamedConfiguration> {
    const query = overwrite === true ? { overwrite } : {};
    return postWork(this.#connection, pathOf(name), jsonBody(command), options, query);
  }

  /** The command as it was saved: the newest revision's, or that of `revision`. */
  async get(
    name: string,
    { revision, ...options }: CallOptions & { revision?: number | undefined } = {},
  ): Promise<SavedCommand> {
    return read(this.#connection, pathOf(name) + (revision === undefined ? "" : `/revisions/${revision}`), options);
  }

  /** All revisions, newest first. A command pins one: `configuration: "invoices@7"`. */
  async revisions(name: string, options?: CallOptions): Promise<ConfigurationRevision[]> {
    return read(this.#connection, `${pathOf(name)}/revisions`, options);
  }

  /** The places where two revisions differ. */
  async diff(
    name: string,
    { from, to, signal }: CallOptions & { from: number; to: number },
  ): Promise<ConfigurationDifference[]> {
    return read(this.#connection, `${pathOf(name)}/diff`, { signal }, { from, to });
  }

  /** Saves a revision's command again, as the newest one. */
  async restore(name: string, revision: number, options?: WorkOptions): Promise<ConfigurationRevision> {
    return postWork(this.#connection, `${pathOf(name)}/revisions/${revision}/restore`, jsonBody({}), options);
  }

  async remove(name: string, options?: CallOptions): Promise<void> {
    return remove(this.#connection, pathOf(name), options);
  }

  /** Starts a run over an uploaded document with a configuration; `wait` and `result` give its result. */
  async process(guid: string, name: string, options?: WorkOptions): Promise<UploadAnswer> {
    const path = `/document/process/${pathSegment(guid)}/with-configuration/${pathSegment(name)}`;
    return postWork(this.#connection, path, jsonBody({}), options);
  }

  /** The same over all documents of a batch. */
  async processBatch(
    guid: string,
    name: string,
    { trace, ...options }: WorkOptions & { trace?: boolean | undefined } = {},
  ): Promise<UploadAnswer & { maxConcurrency: number }> {
    const path = `/document/batch/${pathSegment(guid)}/process/with-configuration/${pathSegment(name)}`;
    return postWork(this.#connection, path, jsonBody({}), options, { trace });
  }
}

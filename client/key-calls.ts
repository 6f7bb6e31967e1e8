/** API keys of the organization. */
import { jsonBody, pathSegment } from "./answers.ts";
import { change, read, remove } from "./calls.ts";
import type { Connection } from "./http.ts";
import type { CallOptions } from "./options.ts";

export type KeyScope = "read" | "write" | "billing" | "admin";

export interface ApiKey {
  id: string;
  name: string;
  scopes: KeyScope[];
  /** ISO 8601, UTC. */
  createdAt: string;
  expiresAt: string | null;
  /** The day, UTC; null for a key that was never used. */
  lastUsedOn: string | null;
}

/** A key to make; with `replaces`, name and scopes may be left to the replaced one. */
export interface NewKey {
  name?: string | undefined;
  scopes?: readonly KeyScope[] | undefined;
  expiresAt?: string | undefined;
  /** The id of a key to rotate. */
  replaces?: string | undefined;
  /** Hours that the replaced key goes on working; default 24. */
  overlapHours?: number | undefined;
}

/** Needs a key with the scope `admin`. Methods throw as SheafClient's do. */
export class KeyCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(options?: CallOptions): Promise<ApiKey[]> {
    return read(this.#connection, "/keys", options);
  }

  /** Makes a key. Its `key` is not shown again; a call whose answer was lost may have made one: look for it in `list`. */
  create(wish: NewKey, options?: CallOptions): Promise<ApiKey & { key: string }> {
    return change(this.#connection, "POST", "/keys", options, jsonBody(wish));
  }

  async revoke(id: string, options?: CallOptions): Promise<void> {
    return remove(this.#connection, `/keys/${pathSegment(id)}`, options);
  }
}

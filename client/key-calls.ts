/** API keys of the organization. */
import { jsonBody, parseAnswer, pathSegment } from "./answers.ts";
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

  async list({ signal }: CallOptions = {}): Promise<ApiKey[]> {
    return parseAnswer(await this.#connection.send({ method: "GET", path: "/keys", signal }));
  }

  /** Makes a key. Its `key` is not shown again; a call whose answer was lost may have made one: look for it in `list`. */
  async create(wish: NewKey, { signal }: CallOptions = {}): Promise<ApiKey & { key: string }> {
    const { body, contentType } = jsonBody({ ...wish });
    const request = { method: "POST", path: "/keys", body: { content: body, type: contentType }, signal } as const;
    return parseAnswer(await this.#connection.send(request));
  }

  async revoke(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#connection.send({ method: "DELETE", path: `/keys/${pathSegment(id)}`, signal });
  }
}

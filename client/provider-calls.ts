/** The calls for an organization's own providers. */
import { parseAnswer, pathSegment } from "./answers.ts";
import type { Call, Connection } from "./http.ts";
import type { Json } from "./json.ts";
import type { CallOptions } from "./options.ts";

export type ProviderKind = "llm" | "ocr";

interface SavedProvider {
  id: number;
  name: string;
  description: string;
  /** DELETED: gone, and kept for usage that names it. */
  status: "ACTIVE" | "INACTIVE" | "DELETED";
  /** A key is stored; no answer holds it. */
  hasApiKey: boolean;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
}

/** A server of OpenAI's chat-completions protocol, or a deployment of Azure. */
export interface LlmProvider extends SavedProvider {
  apiUrl: string;
  modelType: string;
  deploymentName: string;
  kwargs: { [name: string]: Json };
  /** The provider whose key it was given. */
  credentialId: number | null;
}

/** A server of the OCR contract. */
export interface OcrProvider extends SavedProvider {
  endpoint: string;
  modelId: string;
  features: Json;
}

interface ProviderWish {
  name?: string | undefined;
  description?: string | undefined;
  status?: "ACTIVE" | "INACTIVE" | undefined;
  /** Sealed by the service; an empty text removes it. */
  apiKey?: string | undefined;
  /** The `updatedAt` that a change is made for: a 409 when it has another since. */
  updatedAt?: string | undefined;
}

export interface LlmProviderWish extends ProviderWish {
  type?: string | undefined;
  baseUrl?: string | undefined;
  model?: string | undefined;
  kwargs?: { [name: string]: Json } | undefined;
  credentialId?: number | undefined;
}

export interface OcrProviderWish extends ProviderWish {
  endpoint?: string | undefined;
  model?: string | undefined;
  features?: Json | undefined;
}

export interface ProviderBinding {
  key: string;
  /** Null: the service's own. */
  providerId: number | null;
  providerName: string | null;
}

export interface ProviderTest {
  ok: boolean;
  message: string;
}

/** The calls for one kind of provider. They need a key with the scope `admin`, and throw as SheafClient's do. */
class KindCalls<Provider, Wish extends ProviderWish> {
  readonly #connection: Connection;
  readonly #root: string;
  readonly #path: string;

  constructor(connection: Connection, kind: ProviderKind) {
    this.#connection = connection;
    this.#root = `/${kind}`;
    this.#path = `${this.#root}/providers`;
  }

  /** All providers by id; with `deleted`, those that were deleted too. */
  async list({ deleted, signal }: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Provider[]> {
    const query = deleted === true ? { deleted: "true" } : {};
    return this.#send({ method: "GET", path: this.#path, query, signal });
  }

  async get(id: number, { signal }: CallOptions = {}): Promise<Provider> {
    return this.#send({ method: "GET", path: this.#of(id), signal });
  }

  async create(wish: Wish & { name: string }, { signal }: CallOptions = {}): Promise<Provider> {
    const idempotencyKey = crypto.randomUUID();
    return this.#send({ method: "POST", path: this.#path, idempotencyKey, signal }, wish);
  }

  /** Changes the members that are given. */
  async update(id: number, wish: Wish, { signal }: CallOptions = {}): Promise<Provider> {
    return this.#send({ method: "PATCH", path: this.#of(id), signal }, wish);
  }

  /** Deletes a provider; the keys bound to it stand for the service's own again. */
  async remove(id: number, { signal }: CallOptions = {}): Promise<Provider> {
    return this.#send({ method: "DELETE", path: this.#of(id), signal });
  }

  /** Has the service ask the provider once. */
  async test(id: number, { signal }: CallOptions = {}): Promise<ProviderTest> {
    return this.#send({ method: "POST", path: `${this.#of(id)}/test`, signal });
  }

  async keys({ signal }: CallOptions = {}): Promise<ProviderBinding[]> {
    return this.#send({ method: "GET", path: `${this.#root}/keys`, signal });
  }

  /** Binds a key, such as DEFAULT, to a provider; null: to the service's own. */
  async bind(key: string, providerId: number | null, { signal }: CallOptions = {}): Promise<ProviderBinding> {
    return this.#send({ method: "PUT", path: `${this.#root}/keys/${pathSegment(key)}`, signal }, { providerId });
  }

  #of(id: number): string {
    return `${this.#path}/${pathSegment(String(id))}`;
  }

  async #send<T>(call: Call, body?: object): Promise<T> {
    const content = body === undefined ? {} : { body: { content: JSON.stringify(body), type: "application/json" } };
    return parseAnswer<T>(await this.#connection.send({ ...call, ...content }));
  }
}

export class ProviderCalls {
  /** Language models. */
  readonly llm: KindCalls<LlmProvider, LlmProviderWish>;
  /** Text recognition. */
  readonly ocr: KindCalls<OcrProvider, OcrProviderWish>;

  constructor(connection: Connection) {
    this.llm = new KindCalls(connection, "llm");
    this.ocr = new KindCalls(connection, "ocr");
  }
}

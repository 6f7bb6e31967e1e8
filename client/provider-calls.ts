/** The calls for an organization's own providers. */
import { jsonBody, pathSegment } from "./answers.ts";
import { change, postWork, read } from "./calls.ts";
import type { Connection } from "./http.ts";
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
  list({ deleted, signal }: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Provider[]> {
    return read(this.#connection, this.#path, { signal }, deleted === true ? { deleted } : {});
  }

  async get(id: number, options?: CallOptions): Promise<Provider> {
    return read(this.#connection, this.#of(id), options);
  }

  create(wish: Wish & { name: string }, options?: CallOptions): Promise<Provider> {
    return postWork(this.#connection, this.#path, jsonBody(wish), options);
  }

  /** Changes the members that are given. */
  async update(id: number, wish: Wish, options?: CallOptions): Promise<Provider> {
    return change(this.#connection, "PATCH", this.#of(id), options, jsonBody(wish));
  }

  /** Deletes a provider; the keys bound to it stand for the service's own again. */
  async remove(id: number, options?: CallOptions): Promise<Provider> {
    return change(this.#connection, "DELETE", this.#of(id), options);
  }

  /** Has the service ask the provider once. */
  async test(id: number, options?: CallOptions): Promise<ProviderTest> {
    return change(this.#connection, "POST", `${this.#of(id)}/test`, options);
  }

  keys(options?: CallOptions): Promise<ProviderBinding[]> {
    return read(this.#connection, `${this.#root}/keys`, options);
  }

  /** Binds a key, such as DEFAULT, to a provider; null: to the service's own. */
  async bind(key: string, providerId: number | null, options?: CallOptions): Promise<ProviderBinding> {
    const path = `${this.#root}/keys/${pathSegment(key)}`;
    return change(this.#connection, "PUT", path, options, jsonBody({ providerId }));
  }

  #of(id: number): string {
    return `${this.#path}/${pathSegment(String(id))}`;
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

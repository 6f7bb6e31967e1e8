/** One call to the service: address, key, timeouts, retries, redirects and errors. */
import { type MemberFault, SheafError, SheafUnreachable } from "./errors.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { isAway, pauseBeforeRetry } from "./retry.ts";

export interface ConnectionOptions {
  /** The service's address; it may have a path. */
  apiUrl: string;
  /** The API key. */
  token: string;
  fetch?: typeof globalThis.fetch | undefined;
  /** Timeout of one try in milliseconds, its body included; default 60,000. */
  timeoutMs?: number | undefined;
  /** Tries after the first one; default 3. */
  retries?: number | undefined;
  /**
   * Seconds that a service which has answered before and now does not, as during a restart, is tried again; default 0.
   * The retries above come first.
   */
  reconnectSeconds?: number | undefined;
  /** The service is known to have answered before, for example because it made a job. */
  answeredBefore?: boolean | undefined;
  /** Called before each retry with the error, the seconds until then, and true while the service is waited for. */
  onRetry?: ((error: SheafError, seconds: number, reconnecting: boolean) => void) | undefined;
  /** Called at the first answer after retries for a service that was away. */
  onReconnect?: (() => void) | undefined;
}

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** A path below the service's address; or a whole URL, to which no key is sent. */
  path: string | URL;
  query?: Record<string, string | number | boolean | undefined>;
  body?: { content: string | Blob; type: string } | undefined;
  /** All headers of a call to a whole URL, the content type included. */
  headers?: Record<string, string>;
  /** True for a POST that only computes, so that it may run twice; false for a PUT that may not. */
  computes?: boolean | undefined;
  /** Sent with every try, so that the service does the work once. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** Milliseconds that the service may hold the call open, in addition to `timeoutMs`. */
  heldMs?: number;
}

export interface Answer {
  status: number;
  contentType: string;
  bytes: Uint8Array;
  /** The body read as UTF-8. */
  text: string;
  requestId: string | undefined;
  header(name: string): string | undefined;
}

const MAX_REDIRECTS = 3;

/** Sends calls to one service with one key. */
export class Connection {
  readonly apiUrl: string;
  readonly #token: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #retries: number;
  readonly #reconnectMs: number;
  readonly #onRetry: ConnectionOptions["onRetry"];
  readonly #onReconnect: ConnectionOptions["onReconnect"];
  #answered: boolean;
  #away = false;

  /** @throws TypeError for an invalid address or key */
  constructor({ apiUrl, token, fetch, timeoutMs = 60_000, retries = 3, ...more }: ConnectionOptions) {
    this.apiUrl = checkedUrl(apiUrl);
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("The API key must be visible ASCII characters");
    this.#token = token;
    this.#fetch = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
    this.#reconnectMs = (more.reconnectSeconds ?? 0) * 1000;
    this.#answered = more.answeredBefore ?? false;
    this.#onRetry = more.onRetry;
    this.#onReconnect = more.onReconnect;
  }

  /**
   * Sends a call until it is answered or a retry makes no sense: after a broken connection only calls that may safely
   * run twice are retried, after 429 and 503 all, as nothing was done. A service that was there is waited for.
   * @throws SheafError for an answer that is not 2xx, SheafUnreachable for none, the signal's reason when aborted
   */
  async send(call: Call): Promise<Answer> {
    let awaySince: number | undefined;
    for (let tried = 1; ; tried++) {
      try {
        const answer = await this.#attempt(call);
        this.#noteAnswer();
        return answer;
      } catch (error) {
        if (!(error instanceof SheafError)) throw error;
        const away = isAway(error);
        if (!away) this.#noteAnswer();
        else awaySince ??= performance.now();
        const waited = performance.now() - (awaySince ?? 0);
        const reconnecting = away && this.#answered && waited < this.#reconnectMs;
        if (tried > this.#retries && !reconnecting) throw error;
        const pause = pauseBeforeRetry(error, call, tried);
        if (pause === undefined) throw error;
        this.#away ||= reconnecting;
        this.#onRetry?.(error, pause / 1000, reconnecting);
        await sleep(pause, call.signal);
      }
    }
  }

  #noteAnswer(): void {
    this.#answered = true;
    if (this.#away) this.#onReconnect?.();
    this.#away = false;
  }

  async #attempt(call: Call): Promise<Answer> {
    call.signal?.throwIfAborted();
    const limitMs = this.#timeoutMs + (call.heldMs ?? 0);
    const limit = AbortSignal.timeout(limitMs);
    const signal = call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]);
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await this.#request(call, signal);
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof SheafError) throw error;
      const reason = limit.aborted ? `no answer within ${limitMs / 1000} s` : reasonOf(error);
      const place = call.path instanceof URL ? call.path.origin : this.apiUrl;
      throw new SheafUnreachable(place, reason, { timedOut: limit.aborted, cause: error });
    }
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (!response.ok) throw errorOf(response, textOf(bytes), requestId);
    const contentType = response.headers.get("content-type") ?? "";
    return {
      status: response.status,
      contentType,
      bytes,
      get text() {
        return textOf(bytes);
      },
      requestId,
      header: (name) => response.headers.get(name) ?? undefined,
    };
  }

  /** Follows redirects to a GET only; the key goes to no other origin. */
  async #request(call: Call, signal: AbortSignal): Promise<Response> {
    let url = this.#address(call);
    let asked = call;
    for (let followed = 0; ; followed++) {
      const { method, body } = asked;
      const init = {
        method,
        headers: this.#headers(asked, url),
        signal,
        ...(body === undefined ? {} : { body: body.content }),
      };
      let response = await this.#fetch(url, { ...init, redirect: "manual" });
      // Browsers hide where a redirect leads; they take the key off on the way to another origin themselves.
      if (response.type === "opaqueredirect") response = await this.#fetch(url, { ...init, redirect: "follow" });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      const target = new URL(location, url);
      const { body: _sent, ...withoutBody } = call;
      // 303: the answer is elsewhere, such as a document that is too large for a gateway.
      if (response.status === 303) asked = { ...withoutBody, method: "GET" };
      if (asked.method !== "GET" || followed === MAX_REDIRECTS) {
        const sentence = `${url.origin} redirects to ${target.origin}${target.pathname}; is that the service's address?`;
        throw new SheafError(response.status, sentence);
      }
      url = target;
    }
  }

  #address({ path, query = {} }: Call): URL {
    const url = path instanceof URL ? new URL(path) : new URL(this.apiUrl + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  #headers(call: Call, url: URL): Record<string, string> {
    if (call.path instanceof URL) return call.headers ?? {};
    if (url.origin !== new URL(this.apiUrl).origin) return {};
    return {
      Authorization: `Bearer ${this.#token}`,
      ...(call.body === undefined ? {} : { "Content-Type": call.body.type }),
      ...(call.idempotencyKey === undefined ? {} : { "Idempotency-Key": call.idempotencyKey }),
    };
  }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function checkedUrl(apiUrl: string): string {
  // Node.js 20 may lack URL.parse.
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
    throw new TypeError(`The service's address must be an http or https URL, not ${JSON.stringify(apiUrl)}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError("The service's address must not carry a user, a query or a fragment");
  }
  return url.href.replace(/\/+$/, "");
}

/** Waits for a time or until the signal aborts. @throws the signal's reason */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Error codes of Node's sockets and fetch, in words. */
const REASONS: [code: RegExp, reason: string][] = [
  [/^ECONNREFUSED$/, "connection refused"],
  [/^ENOTFOUND$/, "there is no host of that name"],
  [/^EAI_AGAIN$/, "the host's name could not be looked up"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection was cut"],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "the connection timed out"],
  [/^EHOSTUNREACH$/, "there is no way to that host"],
  [/^ENETUNREACH$/, "there is no way to that network"],
  [/^$/, "the connection failed"],
];

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return REASONS.find(([known]) => known.test(code))?.[1] ?? `the connection failed (${code})`;
}

function errorOf(response: Response, text: string, requestId: string | undefined): SheafError {
  const body = objectIn(text);
  const sentence = body?.message;
  const fallback = `The service answered ${response.status} ${response.statusText}`.trimEnd();
  return new SheafError(response.status, typeof sentence === "string" && sentence !== "" ? sentence : fallback, {
    kind: typeof body?.error === "string" ? body.error : undefined,
    errors: faultsIn(body?.errors),
    requestId: requestId ?? (typeof body?.request_id === "string" ? body.request_id : undefined),
    retryAfter: retryAfterOf(response.headers.get("retry-after")),
    body,
  });
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function faultsIn(value: Json | undefined): MemberFault[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const { path, message } = isObject(entry) ? entry : {};
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}

/** `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/**
 * A service of AWS by its published protocol: answers written in advance, and a record of every request as sent over
 * the
 * wire.
 */
import { Readable } from "node:stream";

/** A request without its changing parts (dates, signatures) and the SDK's own description. */
export interface Seen {
  method: string;
  host: string;
  /** Path and query, the parameters in their order. */
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string | Uint8Array | Readable }
  /** The connection breaks before an answer comes. */
  | Error;

/** The parts of the SDK's HttpRequest that matter here. */
interface Sent {
  method: string;
  protocol: string;
  hostname: string;
  path: string;
  query: Record<string, string | null | string[]>;
  headers: Record<string, string>;
  body?: unknown;
}

const OWN_AFFAIRS = /^(host|authorization|user-agent|x-amz-user-agent|x-amz-date|amz-sdk-.*|x-amz-content-sha256)$/;

const networkError = (code: string): Error => Object.assign(new Error(`the connection: ${code}`), { code });
export const connectionReset = (): Error => networkError("ECONNRESET");

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body === undefined) return Buffer.alloc(0);
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.copyBytesFrom(body);
  if (body instanceof Readable) return Buffer.concat(await body.toArray());
  throw new Error("A request has a body of a kind that the exchanges do not read");
}

function pathOf({ path, query }: Sent): string {
  const parameters = Object.entries(query)
    .map(([name, value]) => (value === null || value === "" ? name : `${name}=${encodeURIComponent(String(value))}`))
    .sort();
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

function bodyOf({ body = "" }: Exclude<Answer, Error>): Readable {
  if (body instanceof Readable) return body;
  return Readable.from([Buffer.from(body)]);
}

export class Exchanges {
  /** The requests so far, in order. */
  readonly seen: Seen[] = [];
  readonly #answers: (Answer | ((request: Seen) => Answer | Promise<Answer>))[];

  constructor(...answers: (Answer | ((request: Seen) => Answer | Promise<Answer>))[]) {
    this.#answers = answers;
  }

  /** Appends answers. */
  add(...answers: (Answer | ((request: Seen) => Answer | Promise<Answer>))[]): void {
    this.#answers.push(...answers);
  }

  /** The `requestHandler` of a client. */
  get handler() {
    return {
      handle: (request: unknown) => this.#answer(request as Sent),
      updateHttpClientConfig: () => {},
      httpHandlerConfigs: () => ({}),
    };
  }

  /** Number of unused answers. */
  get left(): number {
    return this.#answers.length;
  }

  async #answer(request: Sent) {
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const seen: Seen = {
      method: request.method,
      host: `${request.protocol}//${request.hostname}`,
      path: pathOf(request),
      headers: Object.fromEntries(headers.filter(([name]) => !OWN_AFFAIRS.test(name))),
      body: await bytesOf(request.body),
    };
    this.seen.push(seen);
    const next = this.#answers.shift();
    const answer = typeof next === "function" ? await next(seen) : next;
    if (answer === undefined) throw new Error(`Nobody expected ${seen.method} ${seen.path}`);
    if (answer instanceof Error) throw answer;
    return { response: { statusCode: answer.status, headers: answer.headers ?? {}, body: bodyOf(answer) } };
  }
}

/** Settings of every client in a test. */
export const clientOptions = (exchanges: Exchanges) => ({
  region: "eu-central-1",
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  requestHandler: exchanges.handler,
  maxAttempts: 3,
});

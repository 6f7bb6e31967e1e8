/**
 * A small service in this process that follows the contract, for tests of the client and the command line. Runs end
 * after `workMs`; the test sets their outcomes and all faults of the network.
 */
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Bytes that are not UTF-8. */
export const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00]);
export const KEY = "sheaf-local";

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

interface FakeJob {
  guid: string;
  status: string;
  error: string | null;
  runs: number;
  command: Record<string, unknown>;
  document: { name: string; type: string; bytes: Buffer };
}

/** The outcome of the next runs. */
export interface Ending {
  workMs: number;
  status: "COMPLETED" | "FAILED" | "PARTIAL" | "CANCELLED";
  error: string | null;
  result: { type: string; body: string };
  sourceLocations: unknown;
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };
/** Handles a request: answers it itself (true), or passes it on to the service (false). */
export type Fault = (
  request: SeenRequest,
  response: ServerResponse,
  served: () => Promise<void>,
) => boolean | Promise<boolean>;

const errorBody = (status: number, error: string, message: string, path: string): Record<string, unknown> => ({
  message,
  status,
  timestamp: "2026-01-31T10:00:00.000Z",
  path,
  error,
});

/** Answers with a status and the service's error body. */
export function refuse(status: number, error: string, message: string, more: Partial<Answer> = {}): Fault {
  return (request, response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-7", ...more.headers });
    response.end(JSON.stringify({ ...errorBody(status, error, message, request.path), ...(more.body as object) }));
    return true;
  };
}

/** Cuts the connection before any work is done. */
export const cut: Fault = (_request, response) => {
  response.socket?.destroy();
  return true;
};

/** Does the work and cuts the connection before the answer is sent. */
export const cutAfterWork: Fault = async (_request, response, served) => {
  response.writeHead = () => response;
  response.end = () => {
    response.socket?.destroy();
    return response;
  };
  await served();
  return true;
};

export class FakeService {
  readonly requests: SeenRequest[] = [];
  readonly jobs = new Map<string, FakeJob>();
  /** Each is used for one matching request, in order. */
  readonly faults: { method: string; path: RegExp; fault: Fault }[] = [];
  ending: Ending = {
    workMs: 30,
    status: "COMPLETED",
    error: null,
    result: { type: "application/json", body: '{"total":12.50,"ids":[12345678901234567890]}' },
    sourceLocations: { version: 1, granularity: "auto", pages: [], locations: {}, unresolved: [] },
  };
  /** GET /job/status holds the call open when true. */
  longPoll = true;
  url = "";
  readonly #answers = new Map<string, { hash: string; answer: Answer }>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #waiting = new Map<string, () => void>();

  /** @param port the port of an earlier start, for a service that restarts */
  async start(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  /** Forgets all requests, jobs and faults. */
  forget(): void {
    this.requests.length = 0;
    this.faults.length = 0;
    this.jobs.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  failNext(method: string, path: RegExp, ...faults: Fault[]): void {
    for (const fault of faults) this.faults.push({ method, path, fault });
  }

  seen(method: string, path: RegExp): SeenRequest[] {
    return this.requests.filter((one) => one.method === method && path.test(one.path));
  }

  /** Adds a job that is uploaded but not started, or one that has ended. */
  addJob(status = "PENDING"): FakeJob {
    const document = { name: "a.txt", type: "text/plain", bytes: Buffer.from("hello") };
    const job = { guid: randomUUID(), status, error: null, runs: 0, command: {}, document };
    this.jobs.set(job.guid, job);
    return job;
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message).catch(() => undefined);
    if (body === undefined) return; // Whoever hung up before all was said waits for nothing.
    const url = new URL(message.url ?? "/", this.url);
    const { headers, method = "GET" } = message;
    const request = { method, path: url.pathname, query: url.searchParams, headers, body };
    this.requests.push(request);
    const serve = async (): Promise<void> => {
      const { status, body, headers: more } = await this.#once(request);
      const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json", "x-request-id": randomUUID(), ...more });
      response.end(text);
    };
    const at = this.faults.findIndex((one) => one.method === method && one.path.test(request.path));
    const fault = at < 0 ? undefined : this.faults.splice(at, 1)[0];
    if (fault !== undefined && (await fault.fault(request, response, serve))) return;
    await serve();
  }

  /** The first answer for an idempotency key, stored with a hash of the request's body. */
  async #once(request: SeenRequest): Promise<Answer> {
    const key = request.headers["idempotency-key"];
    if (typeof key !== "string") return this.#answer(request);
    const hash = createHash("sha256").update(request.path).update(request.body).digest("hex");
    const known = this.#answers.get(key);
    if (known !== undefined) {
      if (known.hash !== hash) return this.#error(409, "Conflict", "Another request used this key", request);
      return { ...known.answer, headers: { "idempotency-replayed": "true" } };
    }
    const answer = await this.#answer(request);
    if (answer.status < 300) this.#answers.set(key, { hash, answer });
    return answer;
  }

  #error(status: number, error: string, message: string, { path }: SeenRequest): Answer {
    return { status, body: errorBody(status, error, message, path) };
  }

  async #answer(request: SeenRequest): Promise<Answer> {
    const { method, path, query } = request;
    if (path === "/health") return { status: 200, body: { status: "ok" } };
    if (method === "PUT" && path.startsWith("/store/")) return this.#store(request);
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return this.#error(401, "Unauthorized", "The API key is unknown", request);
    }
    if (method === "POST" && path === "/document/upload") return this.#upload(await formOf(request));
    if (method === "POST" && path === "/document/upload-url") return this.#ticket(JSON.parse(request.body.toString()));
    if (method === "POST" && path.startsWith("/document/upload-files")) return this.#uploadFiles(request);
    if (path === "/job/list") return { status: 200, body: this.#page(query) };
    const picture = /^\/job\/image\/([^/]+)\/(\d+)$/.exec(path);
    if (picture !== null && this.jobs.has(picture[1] ?? ""))
      return { status: 200, body: PICTURE, headers: { "content-type": "image/png" } };
    const [, room, call, guid = "", artifact] =
      /^\/(job|document)\/(?:(status|result|process|ocr)\/)?([^/]+)(?:\/(json|csv|excel|source-locations))?$/.exec(
        path,
      ) ?? [];
    const job = this.jobs.get(guid);
    if (job === undefined) return this.#error(404, "NotFound", `There is no job ${guid}`, request);
    if (room === "document") return this.#start(job, JSON.parse(request.body.toString() || "{}"));
    if (method === "DELETE") {
      this.jobs.delete(guid);
      return { status: 200, body: { jobsDeleted: 1, errors: [] } };
    }
    if (call === "status") return this.#status(job, Number(query.get("waitSeconds") ?? 0));
    return this.#result(job, artifact, request);
  }

  async #upload(form: FormData): Promise<Answer> {
    const file = form.get("document");
    if (!(file instanceof File)) return { status: 400, body: { message: "There is no part named document" } };
    const job = this.addJob();
    job.document = { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) };
    return { status: 201, body: { guid: job.guid, status: job.status } };
  }

  #ticket({ fileName, mimeType, size }: { fileName: string; mimeType: string; size: number }): Answer {
    const job = this.addJob();
    job.document = { name: fileName, type: mimeType, bytes: Buffer.alloc(0) };
    const uploadUrl = `${this.url}/store/${job.guid}?size=${size}`;
    const headers = { "content-type": mimeType, "x-signed": "yes" };
    const ticket = { guid: job.guid, uploadUrl, method: "PUT", headers, expiresAt: "2026-01-31T10:15:00.000Z" };
    return { status: 201, body: ticket };
  }

  /** Accepts exactly the ticket's request and no key, like a file store. */
  #store({ path, query, headers, body }: SeenRequest): Answer {
    const job = this.jobs.get(path.slice("/store/".length));
    const fits = headers["content-type"] === job?.document.type && headers["content-length"] === query.get("size");
    const bare = headers.authorization === undefined && headers["x-signed"] === "yes";
    if (job === undefined || !fits || !bare) return { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" };
    job.document.bytes = body;
    return { status: 200, body: "" };
  }

  async #uploadFiles(request: SeenRequest): Promise<Answer> {
    const form = await formOf(request);
    const { body } = await this.#upload(form);
    const job = this.jobs.get((body as { guid: string }).guid) ?? this.addJob();
    const { metadata = "{}", ...parts } = Object.fromEntries([...form].filter(([name]) => name !== "document"));
    const started = this.#start(job, { ...JSON.parse(String(metadata)), ...parts });
    if (!request.path.endsWith("/sync")) return started;
    if (this.ending.workMs > 500) return { ...started, status: 202 };
    await this.#status(job, 1);
    return this.#result(job, undefined, request);
  }

  #start(job: FakeJob, command: Record<string, unknown>): Answer {
    Object.assign(job, { status: "PROCESSING", runs: job.runs + 1, command });
    const { workMs, status, error } = this.ending;
    const timer = setTimeout(() => {
      Object.assign(job, { status, error });
      this.#waiting.get(job.guid)?.();
    }, workMs);
    timer.unref();
    return { status: 200, body: { guid: job.guid, status: "PENDING" } };
  }

  async #status(job: FakeJob, waitSeconds: number): Promise<Answer> {
    if (this.longPoll && waitSeconds > 0 && ["PENDING", "PROCESSING"].includes(job.status)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitSeconds * 1000);
        this.#waiting.set(job.guid, () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return { status: 200, body: recordOf(job) };
  }

  #result(job: FakeJob, artifact: string | undefined, request: SeenRequest): Answer {
    if (!["COMPLETED", "PARTIAL"].includes(job.status)) {
      return this.#error(404, "NotFound", `Job ${job.guid} has no result yet`, request);
    }
    if (artifact === "source-locations") {
      if (job.command.sourceLocations !== true) {
        return this.#error(404, "NotFound", "Source locations were not requested", request);
      }
      return { status: 200, body: this.ending.sourceLocations };
    }
    const { type, body } = this.ending.result;
    if (artifact === "json" && type !== "application/json") return { status: 200, body: JSON.stringify(body) };
    return { status: 200, body, headers: { "content-type": type } };
  }

  #page(query: URLSearchParams): Record<string, unknown> {
    const content = [...this.jobs.values()].filter((job) => (query.get("status") ?? job.status) === job.status);
    const size = Number(query.get("size") ?? 20);
    return { content: content.slice(0, size).map(recordOf), size, totalSize: content.length, pageNumber: 0 };
  }
}

/** The form as undici, another implementation, parses it. */
const formOf = ({ headers, body }: SeenRequest): Promise<FormData> =>
  new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"] ?? "" } }).formData();

const recordOf = ({ guid, status, error }: FakeJob): Record<string, unknown> => ({
  guid,
  status,
  error,
  createdAt: "2026-01-31T10:00:00.000Z",
  updatedAt: "2026-01-31T10:00:00.000Z",
  jobType: "DOCUMENT",
  jobMode: "STANDARD",
  ...(status === "PROCESSING" ? { progress: { done: 0, total: 3, failed: 0, phase: "processing", unit: "page" } } : {}),
});

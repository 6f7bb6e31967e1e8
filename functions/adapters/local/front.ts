/**
 * HTTP front of one machine: turns requests of node:http into API Gateway events (HTTP API, payload 2.0), as the
 * gateway
 * does. It matches paths against the route table and knows nothing else of the API.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError, BadRequest, PayloadTooLarge } from "../../ports/errors.ts";
import type { HttpAnswer, HttpEvent, HttpHandler } from "../../ports/http.ts";

export interface FrontOptions {
  routes: readonly { method: string; path: string }[];
  /** Handlers by route key; `$default` takes requests without a route. */
  handlers: ReadonlyMap<string, HttpHandler>;
  /** Answers requests that the gateway itself refuses. */
  refuse(event: HttpEvent, error: AppError): HttpAnswer;
  /** Called before routing, for presigned blobs and metrics. True when it answered. */
  beside(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  maxRequestBytes: number;
  now(): number;
  requestId(): string;
}

interface Matcher {
  key: string;
  method: string;
  segments: { name?: string; text: string }[];
}

const matcherOf = ({ method, path }: { method: string; path: string }): Matcher => ({
  key: `${method} ${path}`,
  method,
  segments: path.split("/").map((text) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    return name === undefined ? { text } : { name, text };
  }),
});

/** A literal segment wins over a placeholder, as in the gateway. */
const byLiterals = (a: Matcher, b: Matcher): number => {
  const literals = (one: Matcher): string => one.segments.map(({ name }) => (name === undefined ? "0" : "1")).join("");
  return literals(a) < literals(b) ? -1 : 1;
};

/** @throws URIError for a malformed path */
function match(matchers: readonly Matcher[], method: string, path: string) {
  const segments = path.split("/");
  for (const one of matchers) {
    if (one.method !== method || one.segments.length !== segments.length) continue;
    const parameters: Record<string, string> = {};
    const fits = one.segments.every(({ name, text }, index) => {
      const segment = segments[index] ?? "";
      if (name === undefined) return segment === text;
      if (segment === "") return false;
      parameters[name] = decodeURIComponent(segment);
      return true;
    });
    if (fits) return { key: one.key, parameters };
  }
  return undefined;
}

function eventOf(request: IncomingMessage, options: FrontOptions): HttpEvent {
  const [path = "/", query = ""] = (request.url ?? "/").split(/\?(.*)/s, 2);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(",") : value;
  }
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] = name in parameters ? `${parameters[name]},${value}` : value;
  }
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(query === "" ? {} : { queryStringParameters: parameters }),
    requestContext: {
      requestId: options.requestId(),
      http: { method: request.method ?? "GET", path, sourceIp: request.socket.remoteAddress ?? "" },
      timeEpoch: options.now(),
    },
    isBase64Encoded: false,
  };
}

const TEXT_CONTENT_TYPE = /^(application\/json|text\/)/i;

/** Reads the body up to the limit. @returns undefined when the body is larger */
function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      request.off("data", read);
      request.pause();
      resolve(undefined);
    };
    request.on("data", read);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("The client went away")));
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

function refused(event: HttpEvent, error: AppError, options: FrontOptions): HttpAnswer {
  const answer = options.refuse(event, error);
  return { ...answer, headers: { ...answer.headers, "X-Request-Id": event.requestContext.requestId } };
}

async function answerOf(request: IncomingMessage, matchers: Matcher[], options: FrontOptions): Promise<HttpAnswer> {
  const event = eventOf(request, options);
  let found: ReturnType<typeof match>;
  try {
    found = match(matchers, event.requestContext.http.method, event.rawPath);
  } catch {
    return refused(event, new BadRequest("The path is not well-formed"), options);
  }
  const body = await readBody(request, options.maxRequestBytes);
  if (body === undefined) {
    const megabytes = options.maxRequestBytes / 1_000_000;
    return refused(event, new PayloadTooLarge(`The request is over ${megabytes} MB`), options);
  }
  if (body.length > 0) {
    const textual = TEXT_CONTENT_TYPE.test(event.headers["content-type"] ?? "");
    event.body = body.toString(textual ? "utf8" : "base64");
    event.isBase64Encoded = !textual;
  }
  if (found !== undefined) {
    event.routeKey = found.key;
    event.pathParameters = found.parameters;
  }
  const handler = options.handlers.get(event.routeKey);
  if (handler === undefined) return refused(event, new AppError("InternalServerError", "No handler"), options);
  return handler(event);
}

/** Milliseconds during which a refused client's data is discarded: a reset would lose the answer. */
const LINGER_MS = 2_000;

function send(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
  const body = Buffer.from(answer.body, answer.isBase64Encoded ? "base64" : "utf8");
  const empty = answer.statusCode === 204;
  const headers = empty ? answer.headers : { ...answer.headers, "Content-Length": String(body.length) };
  if (request.complete || !hasBody(request)) {
    response.writeHead(answer.statusCode, headers);
    response.end(request.method === "HEAD" || empty ? undefined : body);
    return;
  }
  response.writeHead(answer.statusCode, { ...headers, Connection: "close" });
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once("end", () => response.end());
  request.once("close", () => clearTimeout(timer));
  request.resume();
}

export interface Front {
  server: Server;
  /** @returns the port in use @throws when the address is unusable */
  listen(host: string, port: number): Promise<number>;
  /** Takes no more requests, and waits for running ones up to `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export function createFront(options: FrontOptions): Front {
  const matchers = options.routes.map(matcherOf).sort(byLiterals);
  const server = createServer((request, response) => {
    const work = async (): Promise<void> => {
      if (await options.beside(request, response)) return;
      send(request, response, await answerOf(request, matchers, options));
    };
    work().catch(() => {
      // The client disconnected, or building the answer failed; no answer can be sent in either case.
      if (!response.headersSent) response.writeHead(500).end();
      else response.destroy();
    });
  });
  server.headersTimeout = 15_000;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 30_000;
  return {
    server,
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: (graceMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

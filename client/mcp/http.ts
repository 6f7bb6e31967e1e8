/** Serves clients over streamable HTTP. Each request has a key of the service, which is passed on. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  type McpServer,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { MAX_BASE64_CHARACTERS } from "./document-input.ts";
import { Sessions } from "./sessions.ts";

/** Bytes of a request: a document in base64, and its schema and prompt. */
const MAX_REQUEST_BYTES = MAX_BASE64_CHARACTERS + 1_000_000;
/** Requests at once, each with a document in memory: about 1 GB in all at the worst. */
const MAX_REQUESTS = 24;
/** Requests among them that wait for changes; there are none to tell of. */
const MAX_SUBSCRIPTIONS = 8;
/** Connections at once; clients keep idle ones. */
const MAX_CONNECTIONS = 256;
/** The longest time of a request's headers, as slow senders hold a connection. */
const HEADERS_LIMIT_MS = 10_000;
/** The longest time until a request is whole: a document of 10 MB in base64 at 2 Mbit/s. */
const REQUEST_LIMIT_MS = 60_000;
/** Longest key in characters; the service's own are shorter. */
const BEARER = /^Bearer ([\x21-\x7e]{1,512})$/i;

/** The one path. */
export const MCP_PATH = "/mcp";

export interface HttpOptions {
  /** 0: any free one. */
  port: number;
  /** Address to listen on. */
  host: string;
  /** Names in `Host` and `Origin` besides those of this machine. */
  allowedHosts: readonly string[];
  /** @param key as the request carries it */
  make(key: string): McpServer;
  /** True when the service knows the key. @throws SheafError */
  knows(key: string): Promise<boolean>;
  log(line: string): void;
}

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

/** An answer without a server: HTTP status and sentence. */
type Refusal = [status: number, sentence: string, headers?: Record<string, string>];

/** Why a request is not taken; a browser page of another site is told by `Host` and `Origin`. */
function refusalOf({ url = "", headers }: IncomingMessage, allowed: string[], busy: boolean): Refusal | undefined {
  const host = validateHostHeader(headers.host, allowed);
  if (!host.ok) return [403, "The Host of this request is not one of this server; allow it with --allowed-host"];
  const origin = validateOriginHeader(headers.origin, allowed);
  if (!origin.ok) return [403, "Pages of this origin may not call this server; allow it with --allowed-host"];
  if (url.split("?", 1)[0] !== MCP_PATH) return [404, `The server is at ${MCP_PATH}`];
  if (!BEARER.test(headers.authorization ?? "")) {
    return [401, "Send a key of the service as Authorization: Bearer KEY", { "WWW-Authenticate": "Bearer" }];
  }
  if (Number(headers["content-length"] ?? 0) > MAX_REQUEST_BYTES) {
    return [413, `A request has up to ${MAX_REQUEST_BYTES} bytes: a document of 10 MB in base64`];
  }
  if (busy) return [503, `The server is at work on ${MAX_REQUESTS} requests; try again`, { "Retry-After": "1" }];
  return undefined;
}

function refuse(response: ServerResponse, [status, message, headers = {}]: Refusal): void {
  response.writeHead(status, { ...headers, "Content-Type": "application/json", Connection: "close" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
}

/** A request as the web has it; its signal aborts when the caller is gone. */
function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  const method = request.method ?? "GET";
  const url = new URL(MCP_PATH, "http://127.0.0.1");
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers, signal });
  return new Request(url, { method, headers, signal, body: Readable.toWeb(request), duplex: "half" } as RequestInit);
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
}

/** Starts the server. @throws the error of listening, such as a port in use */
export async function serveOverHttp({ port, host, allowedHosts, make, knows, log }: HttpOptions): Promise<HttpServer> {
  const allowed = [...localhostAllowedHostnames(), ...allowedHosts];
  const handler = createMcpHandler(({ authInfo }) => make(authInfo?.token ?? ""), {
    legacy: "reject",
    maxRequestBodySize: MAX_REQUEST_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log(`MCP: ${error.message}`),
  });
  const sessions = new Sessions({ make, knows, maxRequestBytes: MAX_REQUEST_BYTES });
  const answerTo = async (request: Request, token: string): Promise<Response> => {
    const isOfSession = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_REQUEST_BYTES });
    if (isOfSession) return sessions.handle(request, token);
    return handler.fetch(request, { authInfo: { token, clientId: "sheaf", scopes: [] } });
  };
  let atWork = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request, allowed, atWork >= MAX_REQUESTS);
    if (refusal !== undefined) return refuse(response, refusal);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    atWork += 1;
    try {
      const token = BEARER.exec(request.headers.authorization ?? "")?.[1] ?? "";
      await send(await answerTo(webRequest(request, gone.signal), token), response);
    } catch (error) {
      if (gone.signal.aborted) return;
      log(`MCP: ${error instanceof Error ? error.message : error}`);
      if (response.headersSent) response.destroy();
      else refuse(response, [500, "The server failed for a reason of its own; its log has it"]);
    } finally {
      atWork -= 1;
    }
  };
  const limits = { headersTimeout: HEADERS_LIMIT_MS, requestTimeout: REQUEST_LIMIT_MS };
  const server = createServer(limits, (request, response) => void take(request, response));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const { port: listening } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${listening}${MCP_PATH}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([handler.close(), sessions.close()]);
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * HTTP front of one machine: turns requests of node:http into API Gateway events (HTTP API, payload 2.0), as the
 * gateway does. A handler gets the event when the headers have come, and asks for the body when it has checked them.
 * The front knows nothing of the API but the paths of its routes.
 */
import { createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { AppError, BadRequest, RequestTimeout, ServiceUnavailable } from "../../ports/errors.ts";
import type { HttpAnswer, HttpEvent, HttpHandler } from "../../ports/http.ts";
import { BodyRoom, type BodyRoomLimits } from "./body-room.ts";
import { Connections } from "./connections.ts";
import { LocalExchange, RequestSlots } from "./exchange.ts";
import { createRouter, type RouteMatch, type RoutePath } from "./front-router.ts";
import { answerText, deliverAnswer, LINGER_MS, sendAnswer } from "./send-answer.ts";

export interface FrontLimits {
  /** Connections at once. */
  connections: number;
  /** Requests of one group at once, the waiting ones among them. */
  groupRequests: number;
  bodies: BodyRoomLimits;
  /** Longest silence within a body, in milliseconds. */
  bodySilenceMs: number;
  /** Most time for a request's headers, in milliseconds. */
  headersMs: number;
}

export interface FrontOptions {
  routes: readonly RoutePath[];
  /** Handlers by route key; `$default` takes requests without a route. */
  handlers: ReadonlyMap<string, HttpHandler>;
  /** Answers requests that the gateway itself refuses. */
  refuse(event: HttpEvent, error: AppError): HttpAnswer;
  /** Called before everything else. @throws AppError for a request that must not be served */
  guard(request: IncomingMessage): void;
  /** Called before routing, for presigned blobs and metrics. True when it answered. */
  beside(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  limits: FrontLimits;
  now(): number;
  requestId(): string;
}

/** Most time for a whole request, in milliseconds: 15 MB over a line of 1 Mbit/s. */
const REQUEST_MS = 120_000;
const KEEP_ALIVE_MS = 30_000;
/** Milliseconds between two looks at the times above. */
const TIME_CHECK_MS = 1_000;

/** Values of one name are joined by commas, as the gateway does. */
function parametersOf(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] = name in parameters ? `${parameters[name]},${value}` : value;
  }
  return parameters;
}

/** @param request absent where no request could be read */
function eventOf(request: IncomingMessage | undefined, options: FrontOptions): HttpEvent {
  const url = request?.url ?? "/";
  const mark = url.indexOf("?");
  const [path, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request?.headers ?? {})) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(",") : value;
  }
  return {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: query,
    headers,
    ...(query === "" ? {} : { queryStringParameters: parametersOf(query) }),
    requestContext: {
      requestId: options.requestId(),
      http: { method: request?.method ?? "GET", path, sourceIp: request?.socket.remoteAddress ?? "" },
      timeEpoch: options.now(),
    },
    isBase64Encoded: false,
  };
}

function refused(event: HttpEvent, error: AppError, options: FrontOptions): HttpAnswer {
  const answer = options.refuse(event, error);
  return { ...answer, headers: { ...answer.headers, "X-Request-Id": event.requestContext.requestId } };
}

type Router = ReturnType<typeof createRouter>;

async function answerOf(event: HttpEvent, route: Router, options: FrontOptions): Promise<HttpAnswer> {
  let found: RouteMatch | undefined;
  try {
    const { method } = event.requestContext.http;
    // HEAD is on every GET; its answer is sent without the body.
    found = route(method === "HEAD" ? "GET" : method, event.rawPath);
  } catch {
    return refused(event, new BadRequest("The path is not well-formed"), options);
  }
  if (found !== undefined) {
    event.routeKey = found.key;
    event.pathParameters = found.parameters;
  }
  const handler = options.handlers.get(event.routeKey);
  if (handler === undefined) return refused(event, new AppError("InternalServerError", "No handler"), options);
  return handler(event);
}

/** @returns the error that the guard throws; undefined for a request that may be served */
function guarded(request: IncomingMessage, options: FrontOptions): AppError | undefined {
  try {
    options.guard(request);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The error of a connection that sends no request that can be read. */
function clientError({ code }: NodeJS.ErrnoException): AppError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new AppError(
      "RequestHeaderFieldsTooLarge",
      `The address and the headers of a request have at most ${maxHeaderSize.toLocaleString("en-US")} bytes; send fewer`,
    );
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new RequestTimeout("The request did not come whole within the time for it; send it again");
  }
  return new BadRequest("The request is not well-formed HTTP");
}

/** Answers connections that cannot be served by a request's answer. */
function watchConnections(server: Server, options: FrontOptions): Connections {
  const text = (error: AppError): string => answerText(refused(eventOf(undefined, options), error, options));
  const full = new ServiceUnavailable("All connections of the service are in use; try again", { retryAfter: 1 });
  const connections = new Connections(server, options.limits.connections, () => text(full));
  server.on("clientError", (error, duplex) => {
    const socket = duplex as Socket;
    if ((error as NodeJS.ErrnoException).code === "ECONNRESET" || connections.isAnswering(socket)) socket.destroy();
    // An answer was sent, and the rest of what comes is discarded.
    else if (socket.writable) {
      socket.end(text(clientError(error)));
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once("close", () => clearTimeout(timer));
    }
  });
  return connections;
}

export interface Front {
  server: Server;
  /** @returns the port in use @throws when the address is unusable */
  listen(host: string, port: number): Promise<number>;
  /** Takes no more requests, and waits for running ones up to `graceMs`. */
  close(graceMs: number): Promise<void>;
}

export function createFront(options: FrontOptions): Front {
  const { limits } = options;
  const route = createRouter(options.routes);
  const receiving = {
    slots: new RequestSlots(limits.groupRequests),
    room: new BodyRoom(limits.bodies),
    silenceMs: limits.bodySilenceMs,
  };
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: TIME_CHECK_MS,
  });
  const connections = watchConnections(server, options);

  async function work(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const error = guarded(request, options);
    const event = eventOf(request, options);
    if (error !== undefined) return sendAnswer(request, response, refused(event, error, options));
    if (await options.beside(request, response)) return;
    const exchange = new LocalExchange(request, response, receiving);
    try {
      await deliverAnswer(request, response, await answerOf({ ...event, exchange }, route, options));
    } finally {
      exchange.end();
    }
  }
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    if (!connections.begin(response)) return;
    work(request, response).catch(() => {
      // The client disconnected, or building the answer failed; no answer can be sent in either case.
      if (!response.headersSent) response.writeHead(500).end();
      else response.destroy();
    });
  };
  server.on("request", serve);
  // The handler decides by the headers if the client shall send its body.
  server.on("checkContinue", serve);
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

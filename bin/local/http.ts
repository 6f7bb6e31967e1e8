/** The HTTP side of one machine: the API, presigned blobs and metrics behind one server. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBlobGateway } from "../../functions/adapters/local/blobs-gateway.ts";
import { createFront, type Front } from "../../functions/adapters/local/front.ts";
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { withCompat } from "../../functions/api/http/compat.ts";
import { makeHandler } from "../../functions/api/http/handler.ts";
import { openApiText } from "../../functions/api/http/openapi.ts";
import { errorAnswer } from "../../functions/api/http/reply.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import { RESOURCES, ROUTES, routeKey } from "../../functions/api/routes.ts";
import type { HttpHandler } from "../../functions/ports/http.ts";
import type { Keyring } from "../../functions/service/organizations/api-keys.ts";
import { bindOrganization } from "../../functions/service/organizations/organization.ts";
import { ConfigError, type LocalConfig } from "./config.ts";
import type { LocalPlatform } from "./platform.ts";
import type { Readiness } from "./readiness.ts";
import { VERSION } from "./version.ts";

/** The server of the whole service, which does not listen yet. */
export function makeFront({ platform, stores }: LocalPlatform, keyring: Keyring, readiness: Readiness): Front {
  const { clock, observer, blobs, presign, settings } = stores;
  const services: ApiServices = {
    authenticate: (authorization) => keyring.authenticate(authorization),
    organization: (id) => bindOrganization(platform, id),
    facts: {
      version: VERSION,
      engines: platform.engines.states,
      openapi: openApiText(ROUTES, VERSION),
      unready: () => readiness.why(),
    },
    clock,
    observer,
    limits: settings,
    maintenance: settings.maintenance,
    rateLimit: settings.rateLimit,
  };
  const blobGateway = createBlobGateway(blobs, presign, clock);
  return createFront({
    routes: withCompat(ROUTES),
    handlers: handlersOf(services),
    refuse: (event, error) => errorAnswer(error, event, clock.now()),
    beside: async (request, response) =>
      (await blobGateway(request, response)) || (await answerMetrics(request, response, observer)),
    maxRequestBytes: settings.maxRequestBytes,
    now: () => clock.now(),
    requestId: () => randomUUID(),
  });
}

/** The error of a server that cannot listen. */
export const listenError = ({ host, port }: LocalConfig, { code, message }: NodeJS.ErrnoException): ConfigError =>
  new ConfigError(
    code === "EADDRINUSE"
      ? `Port ${port} is in use; stop what uses it, or set PORT to another`
      : `Cannot listen on ${host}:${port} (${code ?? message})`,
  );

/** The service's URL. IPv6 addresses are in brackets. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host.replaceAll(/[[\]]/g, "")}]` : host}:${port}`;

/** One handler for each resource, found by route key as API Gateway finds its functions. */
function handlersOf(services: ApiServices): Map<string, HttpHandler> {
  const handlers = new Map<string, HttpHandler>([["$default", makeHandler([], services)]]);
  for (const routes of Object.values(RESOURCES)) {
    const handler = makeHandler(routes, services);
    for (const route of withCompat(routes)) handlers.set(routeKey(route), handler);
  }
  return handlers;
}

const LOOPBACK_ADDRESSES = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** GET /metrics, only for callers on this machine; for others the path does not exist. */
async function answerMetrics(
  request: IncomingMessage,
  response: ServerResponse,
  observer: LocalObserver,
): Promise<boolean> {
  if (request.method !== "GET" || request.url !== "/metrics") return false;
  if (!LOOPBACK_ADDRESSES.has(request.socket.remoteAddress ?? "")) return false;
  const body = await observer.metrics();
  response.writeHead(200, { "Content-Type": observer.metricsType, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
  return true;
}

/** The HTTP side of one machine: the API, presigned blobs and metrics behind one server. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBlobGateway } from "../../functions/adapters/local/blobs-gateway.ts";
import { createFront, type Front } from "../../functions/adapters/local/front.ts";
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { readReferenceScript } from "../../functions/adapters/reference-script.ts";
import { withCompat } from "../../functions/api/http/compat.ts";
import { makeHandler } from "../../functions/api/http/handler.ts";
import { openApiText } from "../../functions/api/http/openapi.ts";
import { errorAnswer } from "../../functions/api/http/reply.ts";
import type { ServiceFacts } from "../../functions/api/http/route.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import { RESOURCES, ROUTES, routeKey } from "../../functions/api/routes.ts";
import type { HttpHandler } from "../../functions/ports/http.ts";
import type { Wakes } from "../../functions/ports/wakes.ts";
import type { Keyring } from "../../functions/service/organizations/api-keys.ts";
import { groupOf } from "../../functions/service/organizations/engine-group.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { FailedKeys } from "../../functions/service/organizations/failed-keys.ts";
import {
  bindOrganization,
  type Organization,
  type Platform,
} from "../../functions/service/organizations/organization.ts";
import { fingerprintUnder } from "../../functions/service/organizations/vault.ts";
import { takePaymentEvent } from "../../functions/service/payments/take-payment-event.ts";
import { ConfigError, type LocalConfig } from "./config.ts";
import { FRONT_LIMITS } from "./front-limits.ts";
import { hostGuard, isAllowedHost, isForwarded } from "./hosts.ts";
import { waitingPayments } from "./payments.ts";
import type { LocalPlatform } from "./platform.ts";
import type { Readiness } from "./readiness.ts";
import type { ServiceOptions } from "./service-options.ts";
import { type OrganizationTurns, organizationTurns } from "./turns.ts";
import { VERSION } from "./version.ts";

/** Answers to refused keys that are slowed at once; each holds a connection. */
const MAX_SLOWED_ANSWERS = 50;

/**
 * Requests at work on the service's thread at once: of all organizations, of one that is alone, and of one beside
 * another. A few keep the thread busy while others wait for the disk; each more would only be another that a newcomer
 * waits behind, at each of the some twenty times that its own request comes back from the disk.
 */
const MAX_REQUESTS_AT_WORK = { all: 8, alone: 4, beside: 1 };

/** Organizations whose bound ports are kept for their next request; the others' are made anew. */
const MAX_BOUND_ORGANIZATIONS = 1_000;

function boundOrganizations(platform: Platform): (id: number) => Organization {
  const bound = new Map<number, Organization>();
  return (id) => {
    const organization = bound.get(id) ?? bindOrganization(platform, id);
    bound.set(id, organization);
    const [oldest] = bound.keys();
    if (bound.size > MAX_BOUND_ORGANIZATIONS && oldest !== undefined) bound.delete(oldest);
    return organization;
  };
}

/** Engines of requests: a request that waits for a process, another server or time gives its turn away. */
const waitingEngines = ({ office, ...engines }: Engines, turns: OrganizationTurns): Engines => ({
  ...engines,
  ...(office === undefined
    ? {}
    : {
        office: {
          toPdf: (...given) => turns.whileWaiting(() => office.toPdf(...given)),
          close: () => office.close(),
        },
      }),
  clock: { ...engines.clock, sleep: (milliseconds) => turns.whileWaiting(() => engines.clock.sleep(milliseconds)) },
  documents: {
    run: (task, payload, limits) => turns.whileWaiting(() => engines.documents.run(task, payload, limits)),
    close: () => engines.documents.close(),
  },
  outbound: {
    check: (url) => turns.whileWaiting(() => engines.outbound.check(url)),
    request: (url, request) => turns.whileWaiting(() => engines.outbound.request(url, request)),
  },
});

/** Wakes of requests: a request that waits for one gives its turn away. */
const waitingWakes = (wakes: Wakes, turns: OrganizationTurns): Wakes => ({
  wake: (name) => wakes.wake(name),
  watch(name) {
    const watch = wakes.watch(name);
    return {
      within: (milliseconds) => turns.whileWaiting(() => watch.within(milliseconds)),
      close: () => watch.close(),
    };
  },
});

/** Takes events of payments, which name their organizations themselves. */
const paymentEvents =
  (
    { payments: findPayments, records, engines: { clock }, observer }: Platform,
    organization: (id: number) => Organization,
  ): ServiceFacts["takePaymentEvent"] =>
  (body, signature) => {
    const log: LocalObserver["log"] = (...line) => observer.log(...line);
    return takePaymentEvent({ findPayments, records, organization, clock, log }, body, signature);
  };

/** The server of the whole service, which does not listen yet. */
export function makeFront(
  { platform, stores, wakes, presence }: LocalPlatform,
  keyring: Keyring,
  readiness: Readiness,
  { config, frontLimits }: Pick<ServiceOptions, "config" | "frontLimits">,
): Front {
  const { clock, observer, blobs, presign, settings } = stores;
  const failedKeys = new FailedKeys({ clock, observer, maxWaiting: MAX_SLOWED_ANSWERS });
  const limits = { ...FRONT_LIMITS, ...frontLimits };
  const turns = organizationTurns(MAX_REQUESTS_AT_WORK, presence);
  const ofRequests = {
    ...platform,
    engines: waitingEngines(platform.engines, turns),
    wakes: waitingWakes(wakes, turns),
    payments: waitingPayments(platform.payments, (work) => turns.whileWaiting(work)),
  };
  const organization = boundOrganizations(ofRequests);
  const services: ApiServices = {
    fingerprint: fingerprintUnder(async () => stores.key),
    authenticate: (authorization, source) => failedKeys.authenticate(source, () => keyring.authenticate(authorization)),
    organization,
    recorded: () => stores.records.settled(),
    inTurn: (organizationId, work) => turns.inTurn(groupOf(organizationId), work),
    facts: {
      version: VERSION,
      engines: platform.engines.states,
      openapi: openApiText(ROUTES, VERSION),
      referenceScript: readReferenceScript,
      takePaymentEvent: paymentEvents(platform, organization),
      unready: () => readiness.why(),
    },
    clock,
    observer,
    limits: settings,
    maintenance: settings.maintenance,
    rateLimit: settings.rateLimit,
  };
  const blobGateway = createBlobGateway(blobs, presign, clock, limits.bodySilenceMs);
  return createFront({
    routes: withCompat(ROUTES),
    handlers: handlersOf(services),
    refuse: (event, error) => errorAnswer(error, event, clock.now()),
    guard: config.defaultKey ? hostGuard(config.allowedHosts) : () => undefined,
    beside: async (request, response) =>
      (await blobGateway(request, response)) ||
      (readsMetrics(request, config) && (await answerMetrics(response, observer))),
    limits,
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
  const handlers = new Map<string, HttpHandler>([["$default", makeHandler([], services, withCompat(ROUTES))]]);
  for (const routes of Object.values(RESOURCES)) {
    const handler = makeHandler(routes, services);
    for (const route of withCompat(routes)) handlers.set(routeKey(route), handler);
  }
  return handlers;
}

const LOOPBACK_ADDRESSES = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/**
 * True for GET /metrics by a caller on this machine: not passed on by a proxy, nor by a web page whose name resolves to
 * this machine. For others the path does not exist.
 */
const readsMetrics = ({ method, url, socket, headers }: IncomingMessage, { allowedHosts }: LocalConfig): boolean =>
  method === "GET" &&
  url === "/metrics" &&
  LOOPBACK_ADDRESSES.has(socket.remoteAddress ?? "") &&
  isAllowedHost(headers.host, allowedHosts) &&
  !isForwarded(headers);

async function answerMetrics(response: ServerResponse, observer: LocalObserver): Promise<true> {
  const body = await observer.metrics();
  response.writeHead(200, { "Content-Type": observer.metricsType, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
  return true;
}

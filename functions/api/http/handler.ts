/**
 * The handler of one resource: middy around the dispatch to its routes. Lambda and the front on one machine call the
 * same function.
 */
import middy from "@middy/core";
import type { HttpAnswer, HttpEvent, HttpHandler } from "../../ports/http.ts";
import { errorCode } from "../../ports/machine-faults.ts";
import { describeError } from "../../ports/observer.ts";
import { compatible } from "./compat.ts";
import { audit } from "./middlewares/audit.ts";
import { authenticate } from "./middlewares/authenticate.ts";
import { checkScope } from "./middlewares/check-scope.ts";
import { idempotent, readInput } from "./middlewares/idempotency.ts";
import type { RoutedRequest, Serve } from "./middlewares/middleware.ts";
import { receiveBody } from "./middlewares/receive-body.ts";
import { refuseInMaintenance } from "./middlewares/refuse-in-maintenance.ts";
import { admitRun, runRoute } from "./middlewares/run-route.ts";
import { servePublic } from "./middlewares/serve-public.ts";
import { takeTurn } from "./middlewares/take-turn.ts";
import { throttle } from "./middlewares/throttle.ts";
import { errorAnswer } from "./reply.ts";
import type { Route } from "./route.ts";
import type { ApiServices } from "./services.ts";
import { type KnownPath, unservedError } from "./unserved-paths.ts";

interface Internal extends Record<string, unknown> {
  startedAt?: number;
}

/** Headers to add to the request's answer. */
type Headers = Record<string, string>;

/**
 * @param routes the routes this handler serves
 * @param paths all paths of the service, for the answer to a request that no route serves; absent: this handler gets none
 */
export function makeHandler(
  routes: readonly Route[],
  services: ApiServices,
  paths: readonly KnownPath[] = [],
): HttpHandler {
  const table = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const noted = new WeakMap<HttpEvent, Headers>();
  const dispatch = async (event: HttpEvent): Promise<HttpAnswer> => {
    const route = table.get(event.routeKey);
    if (route === undefined) throw unservedError(event, paths);
    if (route.scope === null) return servePublic(route, event, services);
    const answer = await serve({ route, event, services, note: (headers) => noted.set(event, headers) });
    await services.recorded?.();
    return answer;
  };
  const finish = (event: HttpEvent, answer: HttpAnswer | undefined, internal: Internal): void => {
    if (answer === undefined) return;
    Object.assign(answer.headers, noted.get(event));
    recordAnswer(event, answer, internal, services);
  };
  const handler = middy<HttpEvent, HttpAnswer>()
    .use({
      before: ({ internal }) => {
        (internal as Internal).startedAt = services.clock.now();
      },
      after: ({ event, response, internal }) => finish(event, response ?? undefined, internal),
      onError: (request) => {
        const answer = errorAnswer(request.error, request.event, services.clock.now());
        // A 503 is an ordinary refusal unless a fault caused it.
        if (answer.statusCode >= 500 && (answer.statusCode !== 503 || errorCode(request.error) !== undefined)) {
          services.observer.log("error", "request failed", {
            request: request.event.requestContext.requestId,
            route: request.event.routeKey,
            ...describeError(request.error),
          });
        }
        request.response = answer;
        finish(request.event, answer, request.internal);
      },
    })
    .handler(dispatch);
  return compatible((event) => handler(event, {} as never) as Promise<HttpAnswer>);
}

/** Adds the request id, and counts and logs the answer without its content. */
function recordAnswer(event: HttpEvent, answer: HttpAnswer, internal: Internal, services: ApiServices): void {
  const { requestId } = event.requestContext;
  answer.headers["X-Request-Id"] = requestId;
  const seconds = (services.clock.now() - (internal.startedAt ?? services.clock.now())) / 1000;
  const labels = { route: event.routeKey, status: String(answer.statusCode) };
  services.observer.count("http_requests_total", labels);
  services.observer.time("http_request_seconds", { route: event.routeKey }, seconds);
  const reads = /^(GET|HEAD)$/.test(event.requestContext.http.method);
  const level = answer.statusCode >= 500 ? "warn" : reads ? "debug" : "info";
  services.observer.log(level, "request", { request: requestId, ...labels, seconds });
}

/**
 * The middlewares of an organization's request, from key to route. All before `receiveBody` need its headers only; what
 * is scarce is taken after it, because a client may take its time to send a body.
 */
const serve: Serve<RoutedRequest> = authenticate(
  throttle(audit(checkScope(refuseInMaintenance(receiveBody(takeTurn(readInput(idempotent(admitRun(runRoute))))))))),
);

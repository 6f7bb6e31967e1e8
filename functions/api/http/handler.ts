/**
 * The handler of one resource: middy around the dispatch to its routes. The same function is what Lambda calls and
 * what the front on one machine calls.
 */
import { createHash } from "node:crypto";
import middy from "@middy/core";
import type { Clock } from "../../ports/clock.ts";
import { Forbidden, NotFound, ServiceUnavailable } from "../../ports/errors.ts";
import {
  attachment,
  bodyBytes,
  bodyLength,
  type HttpAnswer,
  type HttpEvent,
  type HttpHandler,
} from "../../ports/http.ts";
import { describeError, type Observer } from "../../ports/observer.ts";
import type { Caller } from "../../service/organizations/api-keys.ts";
import type { Organization } from "../../service/organizations/organization.ts";
import type { RateLimit } from "../../service/organizations/rate-limit.ts";
import { compatible } from "./compat.ts";
import { idempotencyKeyOf, once } from "./idempotency.ts";
import { Multipart, parseMultipart, type RequestLimits, requestTooLarge } from "./multipart.ts";
import { errorAnswer, type Reply, toAnswer } from "./reply.ts";
import type { OrganizationRoute, Route, RouteInput, ServiceFacts } from "./route.ts";
import { throttle } from "./throttle.ts";
import { check, parseJsonBody } from "./validate.ts";

/** What the handlers are made with. */
export interface ApiServices {
  authenticate(authorization: string | undefined): Promise<Caller>;
  organization(id: number): Organization;
  facts: ServiceFacts;
  clock: Clock;
  observer: Observer;
  limits: RequestLimits & { inlineAnswerBytes: number };
  maintenance: boolean;
  /** Null: requests are not counted. */
  rateLimit: RateLimit | null;
}

interface Internal extends Record<string, unknown> {
  startedAt?: number;
}

/** Headers of a request's answer, whatever that will be. */
type Headers = Record<string, string>;

/** @param routes those that this handler serves; another route key is answered 404 */
export function makeHandler(routes: readonly Route[], services: ApiServices): HttpHandler {
  const table = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const noted = new WeakMap<HttpEvent, Headers>();
  const dispatch = async (event: HttpEvent): Promise<HttpAnswer> => {
    const route = table.get(event.routeKey);
    if (route === undefined) throw new NotFound(`No route ${event.requestContext.http.method} ${event.rawPath}`);
    if (route.scope === null) {
      return toAnswer(inline(await route.run(inputOf(route, event, services, undefined) as never, services.facts)));
    }
    return serve(route, event, services, (headers) => noted.set(event, headers));
  };
  const finish = (event: HttpEvent, answer: HttpAnswer | undefined, internal: Internal): void => {
    if (answer === undefined) return;
    Object.assign(answer.headers, noted.get(event));
    tell(event, answer, internal, services);
  };
  const handler = middy<HttpEvent, HttpAnswer>()
    .use({
      before: ({ internal }) => {
        (internal as Internal).startedAt = services.clock.now();
      },
      after: ({ event, response, internal }) => finish(event, response ?? undefined, internal),
      onError: (request) => {
        const answer = errorAnswer(request.error, request.event, services.clock.now());
        if (answer.statusCode >= 500 && answer.statusCode !== 503) {
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

/** Adds the request's id, and counts and logs the answer; nothing of its content. */
function tell(event: HttpEvent, answer: HttpAnswer, internal: Internal, services: ApiServices): void {
  const { requestId } = event.requestContext;
  answer.headers["X-Request-Id"] = requestId;
  const seconds = (services.clock.now() - (internal.startedAt ?? services.clock.now())) / 1000;
  const labels = { route: event.routeKey, status: String(answer.statusCode) };
  services.observer.count("http_requests_total", labels);
  services.observer.time("http_request_seconds", { route: event.routeKey }, seconds);
  const reads = event.requestContext.http.method === "GET";
  const level = answer.statusCode >= 500 ? "warn" : reads ? "debug" : "info";
  services.observer.log(level, "request", { request: requestId, ...labels, seconds });
}

async function serve(
  route: OrganizationRoute,
  event: HttpEvent,
  services: ApiServices,
  note: (headers: Headers) => void,
): Promise<HttpAnswer> {
  const caller = await services.authenticate(event.headers.authorization);
  const org = services.organization(caller.organizationId);
  const { headers, refusal } = await throttle(org, services.rateLimit, route.weight);
  note(headers);
  if (refusal !== undefined) throw refusal;
  if (!caller.scopes.includes(route.scope)) {
    throw new Forbidden(`This API key lacks the scope '${route.scope}'`);
  }
  if (services.maintenance) {
    throw new ServiceUnavailable("The service is under maintenance; try again later", { retryAfter: 60 });
  }
  const key = route.idempotent ? idempotencyKeyOf(event.headers["idempotency-key"]) : undefined;
  const input = inputOf(route, event, services, key);
  const work = async (guid: string): Promise<HttpAnswer> => {
    if (route.gate !== undefined) await org.openRuns.admit();
    const reply = await route.run({ ...input, newGuid: guid } as never, { caller, org });
    return reply.kind === "blob" ? blobAnswer(org, reply, services.limits.inlineAnswerBytes) : toAnswer(reply);
  };
  if (key === undefined) return work(services.clock.guid());
  return once(org, { key: `${caller.organizationId}/${key}`, hash: requestHash(event, input.multipart) }, work);
}

/** Everything of the request that its route reads, checked. @throws BadRequest, PayloadTooLarge */
function inputOf(
  route: Route,
  event: HttpEvent,
  services: ApiServices,
  idempotencyKey: string | undefined,
): RouteInput<unknown, unknown, unknown> {
  const { body } = route;
  if (bodyLength(event) > services.limits.maxRequestBytes) throw requestTooLarge(services.limits);
  return {
    params: check(route.params, event.pathParameters ?? {}, "path"),
    query: check(route.query, event.queryStringParameters ?? {}, "query"),
    body: body.kind === "json" ? parseJsonBody(event, body.schema, body.required) : undefined,
    multipart:
      body.kind === "multipart"
        ? parseMultipart(event.headers["content-type"], bodyBytes(event), services.limits.maxDocumentBytes)
        : new Multipart(),
    idempotencyKey,
    newGuid: "",
  };
}

/** The same for the same request sent again, whatever boundary its client drew this time. */
function requestHash(event: HttpEvent, multipart: Multipart): string {
  const hash = createHash("sha256").update(
    `${event.requestContext.http.method} ${event.rawPath}?${event.rawQueryString}\n`,
  );
  if (multipart.isEmpty()) hash.update(bodyBytes(event));
  else multipart.hashInto(hash);
  return hash.digest("hex");
}

const inline = (reply: Reply): Exclude<Reply, { kind: "blob" }> => {
  if (reply.kind === "blob") throw new TypeError("A public route answers no blob");
  return reply;
};

/** A stored answer in the body, or by a redirect to a presigned GET where it is larger than a body may be. */
async function blobAnswer(
  org: Organization,
  reply: Reply & { kind: "blob" },
  inlineBytes: number,
): Promise<HttpAnswer> {
  const { key, contentType } = reply.blob;
  const head = await org.blobs.head(key);
  if (head === undefined) throw new NotFound("The result's file is gone");
  if (head.size > inlineBytes) {
    const { url } = await org.blobs.presignGet(key, {
      expiresInSeconds: 300,
      ...(reply.fileName === undefined ? {} : { fileName: reply.fileName }),
    });
    return toAnswer({ kind: "json", status: 303, body: { location: url }, headers: { Location: url } });
  }
  const body = (await org.blobs.get(key)) ?? new Uint8Array();
  const headers = reply.fileName === undefined ? {} : { "Content-Disposition": attachment(reply.fileName) };
  return toAnswer({ kind: "bytes", status: reply.status, body, contentType, headers });
}

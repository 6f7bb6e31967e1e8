/** The handlers that API Gateway calls, one for each resource. */
import { withCompat } from "../../functions/api/http/compat.ts";
import { makeHandler } from "../../functions/api/http/handler.ts";
import type { Route, ServiceFacts } from "../../functions/api/http/route.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import type { KnownPath } from "../../functions/api/http/unserved-paths.ts";
import type { HttpEvent, HttpHandler } from "../../functions/ports/http.ts";
import type { Config } from "../../functions/service/organizations/organization.ts";
import { type Base, cloudEngines, openBase } from "./base.ts";
import { lazily, required } from "./environment.ts";

type Access = Pick<ApiServices, "authenticate" | "organization" | "fingerprint" | "recorded"> &
  Pick<ServiceFacts, "takePaymentEvent">;

const noAccess: Access = {
  authenticate: () => Promise.reject(new Error("This handler serves no organization")),
  organization: () => {
    throw new Error("This handler serves no organization");
  },
  fingerprint: () => Promise.reject(new Error("This handler serves no organization")),
  takePaymentEvent: () => Promise.reject(new Error("This handler serves no organization")),
};

/**
 * Returns a key of the table for the gateway's, which may stand for all methods of a path. HEAD is on every GET; a method
 * that the path does not have has no route.
 */
function tableKey({ routeKey, requestContext }: HttpEvent, served: ReadonlySet<string>): string {
  const { method } = requestContext.http;
  const key = routeKey.replace(/^(ANY|HEAD) /, `${method === "HEAD" ? "GET" : method} `);
  return served.has(key) ? key : "$default";
}

/** HEAD is the same answer as GET without its body. */
const withHead =
  (handler: HttpHandler): HttpHandler =>
  async (event) => {
    const answer = await handler(event);
    if (event.requestContext.http.method !== "HEAD") return answer;
    const length = Buffer.byteLength(answer.body, answer.isBase64Encoded ? "base64" : "utf8");
    const headers = { ...answer.headers, "Content-Length": String(length) };
    return { ...answer, headers, body: "", isBase64Encoded: false };
  };

/**
 * @param paths all paths of the service, for a handler that answers requests without a route; absent: the routes' own
 * @param access authentication and organizations; without it the handler serves public routes only
 * @param openapi the text of the OpenAPI document, for its route
 * @param referenceScript the script of the reference's page, for its route
 */
export function apiHandler(
  routes: readonly Route[],
  {
    access,
    openapi,
    paths,
    referenceScript = () => Promise.reject(new Error("This handler has no reference")),
  }: {
    access?: (base: Base) => Access;
    openapi?: (version: string, config: Config) => () => string;
    paths?: readonly KnownPath[];
    referenceScript?: ServiceFacts["referenceScript"];
  } = {},
): HttpHandler {
  const all = withCompat(routes);
  const served = new Set(all.map(({ method, path }) => `${method} ${path}`));
  const handler = lazily(() => {
    const base = openBase(process.env);
    const version = required(base.env, "SHEAF_VERSION");
    const { takePaymentEvent, ...organizations } = access?.(base) ?? noAccess;
    const facts: ServiceFacts = {
      version,
      takePaymentEvent,
      engines: cloudEngines,
      openapi: openapi?.(version, base.config) ?? (() => "{}"),
      referenceScript,
    };
    const services = {
      ...organizations,
      facts,
      clock: base.clock,
      observer: base.observer,
      limits: base.config,
      maintenance: base.config.maintenance,
      rateLimit: base.config.rateLimit,
    };
    const handle = makeHandler(routes, services, paths ?? all);
    return (event: Parameters<HttpHandler>[0]) => base.observer.duringInvocation(async () => handle(event));
  });
  return withHead((event) => handler()({ ...event, routeKey: tableKey(event, served) }));
}

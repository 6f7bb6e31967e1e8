/** The handlers that API Gateway calls, one for each resource. */
import { makeHandler } from "../../functions/api/http/handler.ts";
import type { Route, ServiceFacts } from "../../functions/api/http/route.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import type { HttpHandler } from "../../functions/ports/http.ts";
import type { Config } from "../../functions/service/organizations/organization.ts";
import { type Base, cloudEngines, openBase } from "./base.ts";
import { lazily, required } from "./environment.ts";

type Access = Pick<ApiServices, "authenticate" | "organization">;

const noAccess: Access = {
  authenticate: () => Promise.reject(new Error("This handler serves no organization")),
  organization: () => {
    throw new Error("This handler serves no organization");
  },
};

/**
 * @param access authentication and organizations; without it the handler serves public routes only
 * @param openapi the text of the OpenAPI document, for its route
 */
export function apiHandler(
  routes: readonly Route[],
  {
    access,
    openapi,
  }: { access?: (base: Base) => Access; openapi?: (version: string, config: Config) => () => string } = {},
): HttpHandler {
  const handler = lazily(() => {
    const base = openBase(process.env);
    const version = required(base.env, "SHEAF_VERSION");
    const facts: ServiceFacts = {
      version,
      engines: cloudEngines,
      openapi: openapi?.(version, base.config) ?? (() => "{}"),
    };
    return makeHandler(routes, {
      ...(access?.(base) ?? noAccess),
      facts,
      clock: base.clock,
      observer: base.observer,
      limits: base.config,
      maintenance: base.config.maintenance,
      rateLimit: base.config.rateLimit,
    });
  });
  return (event) => handler()(event);
}

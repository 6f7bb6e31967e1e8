/** Middlewares for the routes of organizations: each adds facts to the request or refuses it. */
import type { HttpAnswer, HttpEvent } from "../../../ports/http.ts";
import type { Caller } from "../../../service/organizations/api-keys.ts";
import type { Organization } from "../../../service/organizations/organization.ts";
import type { OrganizationRoute, RouteInput } from "../route.ts";
import type { ApiServices } from "../services.ts";

/** A request with its route. */
export interface RoutedRequest {
  readonly event: HttpEvent;
  readonly route: OrganizationRoute;
  readonly services: ApiServices;
  /** Adds headers to the request's answer, errors included. */
  note(headers: Record<string, string>): void;
}

/** A request of an authenticated caller. */
export interface CallerRequest extends RoutedRequest {
  readonly caller: Caller;
  readonly org: Organization;
}

/** A request whose input is parsed and checked. */
export interface CheckedRequest extends CallerRequest {
  readonly input: RouteInput<unknown, unknown, unknown>;
}

export type Serve<Request> = (request: Request) => Promise<HttpAnswer>;

/** Wraps a handler with one concern. `In`: the request it takes; `Out`: the request it passes on. */
export type Middleware<In extends RoutedRequest, Out extends In = In> = (next: Serve<Out>) => Serve<In>;

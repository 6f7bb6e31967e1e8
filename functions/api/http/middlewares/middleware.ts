/** Middlewares of the routes of organizations: each adds what it finds out, or refuses the request. */
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
  /** Adds headers to the request's answer, whatever that will be. */
  note(headers: Record<string, string>): void;
}

/** The same from a known caller. */
export interface CallerRequest extends RoutedRequest {
  readonly caller: Caller;
  readonly org: Organization;
}

/** The same with all that its route reads of it, checked. */
export interface CheckedRequest extends CallerRequest {
  readonly input: RouteInput<unknown, unknown, unknown>;
}

export type Serve<Request> = (request: Request) => Promise<HttpAnswer>;

/** Serves a request by what comes after it. `In` is what it needs to know, `Out` what it hands on. */
export type Middleware<In extends RoutedRequest, Out extends In = In> = (next: Serve<Out>) => Serve<In>;

import { groupOf } from "../../../service/organizations/engine-group.ts";
import { receivingOrganization } from "../../../service/organizations/receiving-organization.ts";
import type { CallerRequest, Middleware, RoutedRequest } from "./middleware.ts";

/** Authenticates the caller by its API key. @throws Unauthorized, TooManyRequests */
export const authenticate: Middleware<RoutedRequest, CallerRequest> = (next) => async (request) => {
  const { services, event } = request;
  const { sourceIp } = event.requestContext.http;
  const caller = await services.authenticate(event.headers.authorization, sourceIp);
  event.exchange?.admit(groupOf(caller.organizationId));
  return next({ ...request, caller, org: receivingOrganization(services.organization(caller.organizationId)) });
};

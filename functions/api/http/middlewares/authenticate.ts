import type { CallerRequest, Middleware, RoutedRequest } from "./middleware.ts";

/** Authenticates the caller by its API key. @throws Unauthorized */
export const authenticate: Middleware<RoutedRequest, CallerRequest> = (next) => async (request) => {
  const { services, event } = request;
  const caller = await services.authenticate(event.headers.authorization);
  return next({ ...request, caller, org: services.organization(caller.organizationId) });
};

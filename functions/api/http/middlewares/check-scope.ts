import { Forbidden } from "../../../ports/errors.ts";
import type { CallerRequest, Middleware } from "./middleware.ts";

/** Requires the route's scope. @throws Forbidden */
export const checkScope: Middleware<CallerRequest> = (next) => async (request) => {
  const { caller, route } = request;
  if (!caller.scopes.includes(route.scope)) throw new Forbidden(`This API key lacks the scope '${route.scope}'`);
  return next(request);
};

import type { CallerRequest, Middleware } from "./middleware.ts";

/** Serves organizations' requests in turns, so that many calls of one do not delay those of another. */
export const takeTurn: Middleware<CallerRequest> = (next) => (request) => {
  const { services, caller } = request;
  const work = () => next(request);
  return services.inTurn === undefined ? work() : services.inTurn(caller.organizationId, work);
};

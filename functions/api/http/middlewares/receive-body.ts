import { bodyLimitOf, bodyTooLarge } from "../body-limit.ts";
import type { CallerRequest, Middleware } from "./middleware.ts";

/**
 * Receives the body of a request that has come without it, up to the route's limit.
 * @throws PayloadTooLarge, RequestTimeout, TooManyRequests, ServiceUnavailable
 */
export const receiveBody: Middleware<CallerRequest> = (next) => async (request) => {
  const { event, route, services } = request;
  if (event.exchange === undefined) return next(request);
  const { limits } = services;
  const limit = { bytes: bodyLimitOf(route, limits), tooLarge: () => bodyTooLarge(route, limits) };
  return next({ ...request, event: { ...event, bytes: await event.exchange.receive(limit) } });
};

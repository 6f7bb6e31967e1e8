import type { HttpEvent } from "../../../ports/http.ts";
import { bodyLimitOf, bodyTooLarge, type LimitedRoute } from "../body-limit.ts";
import type { ApiServices } from "../services.ts";
import type { CallerRequest, Middleware } from "./middleware.ts";

/**
 * The event with its body, up to the route's limit, where it has come without it.
 * @throws PayloadTooLarge, RequestTimeout, TooManyRequests, ServiceUnavailable
 */
export async function receivedBody(
  route: LimitedRoute,
  event: HttpEvent,
  { limits }: Pick<ApiServices, "limits">,
): Promise<HttpEvent> {
  if (event.exchange === undefined) return event;
  const limit = { bytes: bodyLimitOf(route, limits), tooLarge: () => bodyTooLarge(route, limits) };
  return { ...event, bytes: await event.exchange.receive(limit) };
}

/** Receives the body of a request. @throws as receivedBody */
export const receiveBody: Middleware<CallerRequest> = (next) => async (request) =>
  next({ ...request, event: await receivedBody(request.route, request.event, request.services) });

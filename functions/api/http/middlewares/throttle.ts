/** Rate limit for the routes of organizations. */
import { TooManyRequests } from "../../../ports/errors.ts";
import { describeError } from "../../../ports/observer.ts";
import type { Organization } from "../../../service/organizations/organization.ts";
import { type RateLimit, type RateState, takeTokens } from "../../../service/organizations/rate-limit.ts";

import type { CallerRequest, Middleware } from "./middleware.ts";

const headersOf = ({ limit, remaining, reset }: RateState): Record<string, string> => ({
  "X-RateLimit-Limit": String(limit),
  "X-RateLimit-Remaining": String(remaining),
  "X-RateLimit-Reset": String(reset),
});

/** Rate-limit headers of the answer, and the refusal when the limit is exceeded. */
interface Throttled {
  headers: Record<string, string>;
  refusal?: TooManyRequests;
}

/**
 * Counts a request. A request that cannot be counted passes: a failing store must not close the API.
 * @param weight number of requests it counts as; 0 is never refused
 */
async function countRequest(org: Organization, limit: RateLimit | null, weight: number): Promise<Throttled> {
  if (limit === null) return { headers: {} };
  let state: RateState;
  try {
    state = await takeTokens(org.records, limit, weight, org.engines.clock.now());
  } catch (error) {
    org.observer.log("warn", "request not counted", { organization: org.id, ...describeError(error) });
    return { headers: {} };
  }
  const headers = headersOf(state);
  if (state.allowed) return { headers };
  const { retryAfter } = state;
  const message = `More than ${limit.perMinute} requests a minute; try again in ${retryAfter} s`;
  return { headers, refusal: new TooManyRequests(message, { retryAfter }) };
}

/** Counts the request against its organization's limit. @throws TooManyRequests */
export const throttle: Middleware<CallerRequest> = (next) => async (request) => {
  const { org, services, route } = request;
  const { headers, refusal } = await countRequest(org, services.rateLimit, route.weight);
  request.note(headers);
  if (refusal !== undefined) throw refusal;
  return next(request);
};

/**
 * Rate limit per organization: a token bucket, stored as the time at which it will be full again (GCRA, the algorithm
 * of ITU-T I.371). A request advances that time by the seconds in which its tokens are refilled, and is refused when
 * the time would lie further ahead than a full bucket takes to refill. A request thus takes one conditional increment.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { OrgRecords } from "./organization-records.ts";

export interface RateLimit {
  perMinute: number;
  /** Most requests at once after a pause. */
  burst: number;
}

/** Values of an answer's `X-RateLimit-*` headers. */
export interface RateState {
  allowed: boolean;
  /** Requests a minute. */
  limit: number;
  /** Requests left in the bucket; `burst` after a pause. */
  remaining: number;
  /** Unix seconds at which the bucket is full again. */
  reset: number;
  /** Seconds until the same request passes; 0 when it did. */
  retryAfter: number;
}

/**
 * `owed`: the time at which the bucket is full, in microseconds since 1970, negated, so that a floor bounds the time
 * from above.
 */
interface Bucket extends RecordValue {
  owed: number;
}

const BUCKET_KEY = { partition: "rate", sort: "requests" };
const STARTS_KEY = { partition: "rate", sort: "starts" };
const MICROSECONDS_PER_SECOND = 1_000_000;

/**
 * Puts off the time at which a bucket is full. @param latest most microseconds since 1970; absent: any
 * @returns the time afterwards; undefined when it would be later
 */
async function fillLater(
  records: Pick<OrgRecords, "add">,
  key: RecordKey,
  amount: number,
  latest?: number,
): Promise<number | undefined> {
  try {
    const floor = latest === undefined ? undefined : { owed: -latest };
    return -(await records.add<Bucket>(key, { owed: -amount }, floor)).owed;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/**
 * Takes a token for the start of a run; never refuses: the bucket goes into debt.
 * @param now milliseconds since 1970 @returns milliseconds until the token is there
 */
export async function reserveToken(
  records: Pick<OrgRecords, "get" | "add">,
  { perMinute, burst }: RateLimit,
  now: number,
): Promise<number> {
  const token = Math.round((60 * MICROSECONDS_PER_SECOND) / perMinute);
  const time = Math.round(now * 1000);
  const fullSince = -((await records.get<Bucket>(STARTS_KEY))?.value.owed ?? 0);
  const begun =
    fullSince <= time ? await fillLater(records, STARTS_KEY, time + token - fullSince, time + token) : undefined;
  const fullAt = begun ?? (await fillLater(records, STARTS_KEY, token)) ?? time;
  return Math.ceil(Math.max(0, fullAt - burst * token - time) / 1000);
}

/**
 * Takes a request's tokens from the organization's bucket.
 * @param weight tokens; 0 takes none and only reads. Capped at `burst`, so that every request passes at some time
 * @param now milliseconds since 1970
 */
export async function takeTokens(
  records: Pick<OrgRecords, "get" | "add">,
  { perMinute, burst }: RateLimit,
  weight: number,
  now: number,
): Promise<RateState> {
  const token = Math.round((60 * MICROSECONDS_PER_SECOND) / perMinute);
  const time = Math.round(now * 1000);
  const cost = Math.min(weight, burst) * token;
  const fullSince = -((await records.get<Bucket>(BUCKET_KEY))?.value.owed ?? 0);
  const state = (fullAt: number, allowed: boolean): RateState => {
    const ahead = Math.max(0, fullAt - time);
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((burst * token - ahead) / token)),
      reset: Math.ceil((time + ahead) / MICROSECONDS_PER_SECOND),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((ahead + cost - burst * token) / MICROSECONDS_PER_SECOND)),
    };
  };
  if (weight === 0) return state(fullSince, true);
  // A full bucket does not fill further: the first request sets its time to now.
  const begun =
    fullSince <= time ? await fillLater(records, BUCKET_KEY, time + cost - fullSince, time + cost) : undefined;
  const taken = begun ?? (await fillLater(records, BUCKET_KEY, cost, time + burst * token));
  return taken === undefined ? state(Math.max(fullSince, time + burst * token - cost), false) : state(taken, true);
}

/**
 * Requests per organization: a token bucket, kept as the time at which it will be full again (GCRA, the algorithm of
 * ITU-T I.371). A request moves that time on by the seconds that its tokens take to come back, and is refused when it
 * would then lie further ahead than a full bucket is worth. So one conditional increment is a request's whole account.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import type { RecordValue } from "../../ports/records.ts";
import type { OrgRecords } from "./organization-records.ts";

export interface RateLimit {
  perMinute: number;
  /** Requests at once after a pause. */
  burst: number;
}

/** What an answer's `X-RateLimit-*` headers say. */
export interface RateState {
  allowed: boolean;
  /** Requests a minute. */
  limit: number;
  /** Requests that the bucket holds now; after a pause it is `burst`. */
  remaining: number;
  /** Unix seconds at which the bucket is full again. */
  reset: number;
  /** Seconds until the same request passes; 0 when it did. */
  retryAfter: number;
}

/** `owed`: the time at which the bucket is full, in microseconds since 1970, negated: floors bound it from above. */
interface Bucket extends RecordValue {
  owed: number;
}

const KEY = { partition: "rate", sort: "requests" };
const MICROSECONDS = 1_000_000;

/**
 * Takes a request's tokens from the organization's bucket.
 * @param weight tokens; 0 looks and takes none. Never more than the bucket holds, so that every request passes some time
 * @param now milliseconds since 1970
 */
export async function takeTokens(
  records: Pick<OrgRecords, "get" | "add">,
  { perMinute, burst }: RateLimit,
  weight: number,
  now: number,
): Promise<RateState> {
  const token = Math.round((60 * MICROSECONDS) / perMinute);
  const time = Math.round(now * 1000);
  const cost = Math.min(weight, burst) * token;
  const full = -((await records.get<Bucket>(KEY))?.value.owed ?? 0);
  const state = (fullAt: number, allowed: boolean): RateState => {
    const ahead = Math.max(0, fullAt - time);
    return {
      allowed,
      limit: perMinute,
      remaining: Math.max(0, Math.floor((burst * token - ahead) / token)),
      reset: Math.ceil((time + ahead) / MICROSECONDS),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((ahead + cost - burst * token) / MICROSECONDS)),
    };
  };
  if (weight === 0) return state(full, true);
  const add = async (amount: number, latest: number): Promise<number | undefined> => {
    try {
      return -(await records.add<Bucket>(KEY, { owed: -amount }, { owed: -latest })).owed;
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  };
  // A bucket that is full collects nothing more: its time is brought to now, by the first who comes.
  const begun = full <= time ? await add(time + cost - full, time + cost) : undefined;
  const taken = begun ?? (await add(cost, time + burst * token));
  return taken === undefined ? state(Math.max(full, time + burst * token - cost), false) : state(taken, true);
}

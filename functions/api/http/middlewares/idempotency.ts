/**
 * `Idempotency-Key`: kept 24 h per organization and bound to a hash of the request. The record is written before the
 * work
 * and holds the GUID that the work uses, so that the next try finishes, once, a try that a crash interrupted.
 */
import { createHash } from "node:crypto";
import { AppError, BadRequest, ConditionFailed, Conflict } from "../../../ports/errors.ts";
import { bodyBytes, type HttpAnswer, type HttpEvent } from "../../../ports/http.ts";
import type { RecordKey, RecordValue, StoredRecord } from "../../../ports/records.ts";
import type { Organization } from "../../../service/organizations/organization.ts";

import type { Multipart } from "../multipart.ts";
import { REPLAYED_HEADER_NAME } from "../reply.ts";
import { inputOf } from "../request-input.ts";
import type { CallerRequest, CheckedRequest, Middleware } from "./middleware.ts";

interface IdempotencyRecord extends RecordValue {
  v: 1;
  /** The request's fingerprint; of a request to an earlier release, its hash. */
  requestHash: string;
  guid: string;
  state: "open" | "done";
  /** Milliseconds since 1970. After it, the next request takes over the work of an open record. */
  leaseUntil: number;
  answer?: HttpAnswer;
}

const RETENTION_SECONDS = 24 * 3600;
/** A worker renews its lease while it works; a dead worker is noticed after this time. */
const LEASE_MS = 5_000;
const LEASE_RENEWAL_MS = 1_500;
const MAX_WAIT_MS = 25_000;
const POLL_INTERVAL_MS = 100;
/** Larger answers are not stored but built again from the job, with the same content. */
const MAX_STORED_ANSWER_BYTES = 200_000;

/** @returns the key @throws BadRequest for a key that cannot be stored */
function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new BadRequest("Idempotency-Key must be 1 to 255 printable ASCII characters without spaces");
  }
  return header;
}

const REPLAYED_HEADER = { [REPLAYED_HEADER_NAME]: "true" };

/**
 * Does the work once for a key: a replay gets the first answer, a concurrent request waits for it.
 * @param work gets the GUID to use for the objects it creates; it must be repeatable with the same GUID
 * @throws Conflict when the key belongs to another request, or the first request is still running
 */
async function runOnce(
  org: Organization,
  request: { key: string; fingerprint: string; hash: string },
  work: (guid: string) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const sort = createHash("sha256").update(request.key).digest("hex");
  const key = { partition: "idempotency", sort };
  const { clock } = org.engines;
  const giveUp = clock.now() + MAX_WAIT_MS;
  for (;;) {
    const stored = await org.records.get<IdempotencyRecord>(key);
    const known = stored?.value;
    if (known !== undefined && known.requestHash !== request.fingerprint && known.requestHash !== request.hash) {
      throw new Conflict("This Idempotency-Key was used with another request; use a new key");
    }
    if (known?.state === "done") {
      const answer = known.answer ?? (await work(known.guid));
      return { ...answer, headers: { ...answer.headers, ...REPLAYED_HEADER } };
    }
    if (known === undefined || known.leaseUntil <= clock.now()) {
      const leased = await acquireLease(org, key, request.fingerprint, stored);
      if (leased !== undefined) return runLeased(org, key, leased, work);
    } else if (clock.now() > giveUp) {
      throw new Conflict("A request with this Idempotency-Key is still being worked on; try again", { retryAfter: 5 });
    } else {
      await clock.sleep(POLL_INTERVAL_MS);
    }
  }
}

async function acquireLease(
  org: Organization,
  key: RecordKey,
  requestHash: string,
  stored: StoredRecord<IdempotencyRecord> | undefined,
): Promise<StoredRecord<IdempotencyRecord> | undefined> {
  const { clock } = org.engines;
  const guid = stored?.value.guid ?? clock.guid();
  const value: IdempotencyRecord = { v: 1, requestHash, guid, state: "open", leaseUntil: clock.now() + LEASE_MS };
  const condition = stored === undefined ? ({ ifAbsent: true } as const) : { ifVersion: stored.version };
  try {
    const expiresAt = Math.floor(clock.now() / 1000) + RETENTION_SECONDS;
    const { version } = await org.records.put(key, value, { expiresAt, condition });
    return { key, value, version, expiresAt };
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

async function runLeased(
  org: Organization,
  key: RecordKey,
  leased: StoredRecord<IdempotencyRecord>,
  work: (guid: string) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
  const lasting = leased.expiresAt === undefined ? {} : { expiresAt: leased.expiresAt };
  const keep = (value: IdempotencyRecord) => org.records.put(key, value, lasting);
  const stopRenewing = renewLease(org, key, leased);
  let answer: HttpAnswer;
  try {
    answer = await work(leased.value.guid);
  } catch (error) {
    await stopRenewing();
    // A refused request created nothing; after any other error a retry uses the same GUID.
    const refused = error instanceof AppError && error.refusesRequest;
    if (refused) await org.records.delete(key);
    else await keep({ ...leased.value, leaseUntil: 0 });
    throw error;
  }
  await stopRenewing();
  const small = answer.body.length <= MAX_STORED_ANSWER_BYTES;
  await keep({ ...leased.value, state: "done", ...(small ? { answer } : {}) });
  return answer;
}

/** Renews a lease until stopped, or until another worker takes over. */
function renewLease(org: Organization, key: RecordKey, leased: StoredRecord<IdempotencyRecord>): () => Promise<void> {
  let version = leased.version;
  let renewal = Promise.resolve();
  const timer = setInterval(() => {
    renewal = renewal.then(async () => {
      try {
        const value = { ...leased.value, leaseUntil: org.engines.clock.now() + LEASE_MS };
        const expiring = leased.expiresAt === undefined ? {} : { expiresAt: leased.expiresAt };
        ({ version } = await org.records.put(key, value, { ...expiring, condition: { ifVersion: version } }));
      } catch {
        clearInterval(timer);
      }
    });
  }, LEASE_RENEWAL_MS);
  return () => {
    clearInterval(timer);
    return renewal;
  };
}

/**
 * Equal for the same request sent again, whatever multipart boundary the client uses. It is never stored: guesses of a
 * password in the body could be tried on it.
 */
function requestHash(event: HttpEvent, multipart: Multipart): string {
  const hash = createHash("sha256").update(
    `${event.requestContext.http.method} ${event.rawPath}?${event.rawQueryString}\n`,
  );
  if (multipart.isEmpty()) hash.update(bodyBytes(event));
  else multipart.hashInto(hash);
  return hash.digest("hex");
}

/** Reads the request's input and its idempotency key. @throws BadRequest, PayloadTooLarge */
export const readInput: Middleware<CallerRequest, CheckedRequest> = (next) => async (request) => {
  const { route, event, services } = request;
  const key = route.idempotent ? idempotencyKeyOf(event.headers["idempotency-key"]) : undefined;
  return next({ ...request, input: inputOf(route, event, services, key) });
};

/** Serves a request with an Idempotency-Key once, and sets the GUID of its input. @throws Conflict */
export const idempotent: Middleware<CheckedRequest> = (next) => async (request) => {
  const { route, caller, org, event, input, services } = request;
  // A request that only reads makes nothing that needs a GUID.
  if (route.method === "GET") return next(request);
  const work = (newGuid: string) => next({ ...request, input: { ...input, newGuid } });
  const { idempotencyKey: key } = input;
  if (key === undefined) return work(services.clock.guid());
  const hash = requestHash(event, input.multipart);
  const fingerprint = await services.fingerprint(hash);
  return runOnce(org, { key: `${caller.organizationId}/${key}`, fingerprint, hash }, work);
};

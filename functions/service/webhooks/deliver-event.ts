/** Delivery attempts of events, signed as Standard Webhooks specifies (standardwebhooks.com), and their retries. */
import { randomInt } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { OutboundFailure } from "../../ports/outbound.ts";
import { MAX_QUEUE_DELAY_SECONDS } from "../../ports/queue.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { noteDelivery, noteFailure } from "./receiver-health.ts";
import {
  type Attempt,
  type Delivery,
  type DueDelivery,
  deliveryDue,
  deliveryKey,
  MAX_CONCURRENT_DELIVERIES,
  MAX_KEPT_ATTEMPTS,
  pauseKey,
  type ReceiverPause,
} from "./webhook-records.ts";
import { signingSettings } from "./webhook-settings.ts";

/** Seconds between attempts: 8 attempts in 24 hours, for a receiver that restarts and for one that is down for long. */
const RETRY_SECONDS = [5, 60, 600, 3600, 3 * 3600, 7 * 3600, 46_080];
/** Time after which an unfinished attempt counts as dead; it takes 10 s and some writes. */
const ATTEMPT_LEASE_MS = 60_000;
/**
 * Pause of an organization's events after an unanswered attempt: attempts within it count as failed without being sent,
 * so that many events for a hanging receiver do not delay other work.
 */
const RECEIVER_PAUSE_MS = 50_000;
/** An answer after this time is slow: the receiver then rests as long as it took. */
const SLOW_ANSWER_MS = 3_000;
/** Lifetime of the place of a delivery that died; an attempt takes 10 s and some writes. */
const SLOT_SECONDS = 60;
/** Bounds of a postponed event's wait, random so that many events do not come back at once. */
const MIN_POSTPONE_SECONDS = 5;
const MAX_POSTPONE_SECONDS = 30;
/** Tolerance for differing clocks: events due within this time are due. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Delivers an event, unless it is delivered, given up, not due yet, or being delivered. A failed attempt is recorded
 * and retried later. An organization has few deliveries at once; an event beyond them is postponed.
 * @returns the milliseconds for which this delivery's place stays taken: a receiver that answers slowly is asked for at
 *   most half of the time
 * @throws AppError of the store
 */
export async function deliverWebhook(org: Organization, event: string): Promise<{ pauseMs: number }> {
  const slot = await org.slots.take("webhooks", { most: MAX_CONCURRENT_DELIVERIES, seconds: SLOT_SECONDS });
  if (slot === undefined) {
    await postpone(org, event);
    return { pauseMs: 0 };
  }
  let pauseMs = 0;
  try {
    pauseMs = await deliverLeased(org, event);
  } finally {
    await slot.release(pauseMs);
  }
  return { pauseMs };
}

/** @returns the pause for the receiver, in milliseconds */
async function deliverLeased(org: Organization, event: string): Promise<number> {
  const due = await leaseEvent(org, event);
  if (due === undefined) return 0;
  const delivery = await org.records.get<Delivery>(deliveryKey(event));
  if (delivery === undefined) {
    await org.records.transact([{ kind: "due-delete", id: deliveryDue(event) }]);
    return 0;
  }
  const outcome = await attemptDelivery(org, delivery.value);
  await recordAttempt(org, due, delivery, outcome);
  const { milliseconds } = outcome.attempt;
  return milliseconds < SLOW_ANSWER_MS ? 0 : milliseconds;
}

/** Enqueues a due event again, without counting an attempt. */
async function postpone(org: Organization, event: string): Promise<void> {
  const id = deliveryDue(event);
  const stored = (await org.records.due(id)) as StoredRecord<DueDelivery> | undefined;
  const now = org.engines.clock.now();
  if (stored === undefined || stored.value.dueAt > now + CLOCK_TOLERANCE_MS) return;
  const seconds = randomInt(MIN_POSTPONE_SECONDS, MAX_POSTPONE_SECONDS + 1);
  const value: DueDelivery = { ...stored.value, dueAt: now + seconds * 1000, handedOver: now };
  try {
    await org.records.transact([{ kind: "due-put", id, value, condition: { ifVersion: stored.version } }]);
  } catch (error) {
    // Another delivery of the message is on its way.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  await enqueue(org, { kind: "deliver-webhook", guid: value.guid, event }, seconds);
}

/** Leases the event, so that only one of two concurrent deliveries of its message sends it. */
async function leaseEvent(org: Organization, event: string): Promise<StoredRecord<DueDelivery> | undefined> {
  const id = deliveryDue(event);
  const stored = (await org.records.due(id)) as StoredRecord<DueDelivery> | undefined;
  const now = org.engines.clock.now();
  if (stored === undefined || stored.value.dueAt > now + CLOCK_TOLERANCE_MS) return undefined;
  const value: DueDelivery = { ...stored.value, dueAt: now + ATTEMPT_LEASE_MS, handedOver: null };
  const { version } = stored;
  try {
    await org.records.transact([{ kind: "due-put", id, value, condition: { ifVersion: version } }]);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
  return { ...stored, value, version: version + 1 };
}

interface AttemptOutcome {
  attempt: Attempt;
  /** A request was sent, or could not be: the outcome tells of the receiver. */
  sent?: boolean;
  /** The webhook is removed or disabled: there is no further attempt. */
  off?: boolean;
}

/** Makes one attempt. */
async function attemptDelivery(org: Organization, { id, payload }: Delivery): Promise<AttemptOutcome> {
  const { clock, outbound } = org.engines;
  const begun = clock.now();
  const outcome = (
    status: number | null,
    error: string | null,
    facts: Pick<AttemptOutcome, "sent" | "off"> = {},
  ): AttemptOutcome => ({
    attempt: { at: new Date(begun).toISOString(), status, error, milliseconds: clock.now() - begun },
    ...facts,
  });
  try {
    const settings = await signingSettings(org);
    if ("off" in settings) return outcome(null, settings.off, { off: true });
    if (((await org.records.get<ReceiverPause>(pauseKey))?.value.until ?? 0) > begun) {
      return outcome(null, "Not sent, as the receiver has just left another event unanswered");
    }
    // The receiver compares it with its own clock.
    const seconds = Math.floor(clock.wallTime() / 1000);
    const signatures = settings.secrets.map((secret) =>
      new Webhook(secret).sign(id, new Date(seconds * 1000), payload),
    );
    const { status } = await outbound.request(settings.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Sheaf-Webhooks",
        "webhook-id": id,
        "webhook-timestamp": String(seconds),
        "webhook-signature": signatures.join(" "),
      },
      body: payload,
    });
    const delivered = status >= 200 && status < 300;
    return outcome(status, delivered ? null : `The receiver answered ${status}`, { sent: true });
  } catch (error) {
    if (error instanceof OutboundFailure && error.timedOut) await pauseReceiver(org);
    if (error instanceof OutboundFailure) return outcome(null, error.message, { sent: true });
    if (error instanceof AppError) return outcome(null, error.message);
    org.observer.log("error", "webhook not sent", { organization: org.id, event: id, ...describeError(error) });
    return outcome(null, "The event could not be signed; rotate the webhook's secret");
  }
}

async function pauseReceiver(org: Organization): Promise<void> {
  const until = org.engines.clock.now() + RECEIVER_PAUSE_MS;
  await org.records.put(pauseKey, { v: 1, until } satisfies ReceiverPause, { expiresAt: Math.ceil(until / 1000) });
}

async function recordAttempt(
  org: Organization,
  { value: due, version }: StoredRecord<DueDelivery>,
  { value, expiresAt }: StoredRecord<Delivery>,
  { attempt, sent = false, off = false }: AttemptOutcome,
): Promise<void> {
  const delivered = attempt.error === null;
  const wait = delivered || off ? undefined : RETRY_SECONDS[due.tries];
  const now = org.engines.clock.now();
  const queued = wait !== undefined && wait <= MAX_QUEUE_DELAY_SECONDS;
  const id = deliveryDue(value.id);
  const condition = { ifVersion: version };
  const next = wait === undefined ? undefined : now + wait * 1000;
  const delivery: Delivery = {
    ...value,
    status: delivered ? "DELIVERED" : next === undefined ? "FAILED" : "PENDING",
    attempts: [...value.attempts, attempt].slice(-MAX_KEPT_ATTEMPTS),
    nextTryAt: next === undefined ? null : new Date(next).toISOString(),
  };
  try {
    await org.records.transact([
      { kind: "put", key: deliveryKey(value.id), value: delivery, ...(expiresAt === undefined ? {} : { expiresAt }) },
      next === undefined
        ? { kind: "due-delete", id, condition }
        : {
            kind: "due-put",
            id,
            value: { ...due, tries: due.tries + 1, dueAt: next, handedOver: queued ? now : null },
            condition,
          },
    ]);
  } catch (error) {
    // Another delivery has leased the event meanwhile, and continues with it.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  if (delivered) await noteDelivery(org);
  else if (sent) await noteFailure(org, attempt.error ?? "");
  const { status } = delivery;
  org.observer.count("webhook_tries_total", { status });
  org.observer.log("info", "webhook tried", { organization: org.id, event: value.id, status, answer: attempt.status });
  if (queued) await enqueue(org, { kind: "deliver-webhook", guid: value.guid, event: value.id }, wait);
}

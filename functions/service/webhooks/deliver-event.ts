/** One try to deliver an event, signed after Standard Webhooks (standardwebhooks.com), and what comes after it. */
import { Webhook } from "standardwebhooks";
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { OutboundFailure } from "../../ports/outbound.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import {
  type Attempt,
  type Delivery,
  type DueDelivery,
  deliveryDue,
  deliveryKey,
  MAX_ATTEMPTS,
  type Pause,
  pauseKey,
} from "./webhook-records.ts";
import { signingSettings } from "./webhook-settings.ts";

/** Seconds between the tries: 8 of them in 24 hours. The receiver that restarts is found soon, the one that is down late. */
const WAITS = [5, 60, 600, 3600, 3 * 3600, 7 * 3600, 46_080];
/** The queue keeps work back for so long at most, in seconds; longer waits end with a sweep. */
const LONGEST_DELAY = 900;
/** A try that has not ended by then, in milliseconds, is taken for dead; it takes 10 s and some writes. */
const LEASE_MS = 60_000;
/**
 * After a try that nobody answered, tries of the organization's other events are not sent for so long, in milliseconds, and
 * count: many events for a receiver that hangs must not hold up all other work.
 */
const PAUSE_MS = 50_000;
/** Clocks differ: what is due within this, in milliseconds, is due. */
const EARLY_MS = 5_000;

/**
 * Delivers an event, unless it is delivered, given up, not due yet, or under way elsewhere. A receiver's failure is
 * recorded and tried again later.
 * @throws AppError of the store
 */
export async function deliverWebhook(org: Organization, event: string): Promise<void> {
  const due = await claim(org, event);
  if (due === undefined) return;
  const delivery = await org.records.get<Delivery>(deliveryKey(event));
  if (delivery === undefined) {
    await org.records.transact([{ kind: "due-delete", id: deliveryDue(event) }]);
    return;
  }
  const { attempt, off } = await tryOnce(org, delivery.value);
  await conclude(org, due, delivery, attempt, off);
}

/** Takes the event for a while, so that of two deliveries of its message one sends. */
async function claim(org: Organization, event: string): Promise<StoredRecord<DueDelivery> | undefined> {
  const id = deliveryDue(event);
  const stored = (await org.records.due(id)) as StoredRecord<DueDelivery> | undefined;
  const now = org.engines.clock.now();
  if (stored === undefined || stored.value.dueAt > now + EARLY_MS) return undefined;
  const value: DueDelivery = { ...stored.value, dueAt: now + LEASE_MS, handedOver: null };
  const { version } = stored;
  try {
    await org.records.transact([{ kind: "due-put", id, value, condition: { ifVersion: version } }]);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
  return { ...stored, value, version: version + 1 };
}

/** @returns what came of it; `off`: nobody is to be told any more */
async function tryOnce(org: Organization, { id, payload }: Delivery): Promise<{ attempt: Attempt; off: boolean }> {
  const { clock, outbound } = org.engines;
  const begun = clock.now();
  const ended = (status: number | null, error: string | null, off = false): { attempt: Attempt; off: boolean } => ({
    attempt: { at: new Date(begun).toISOString(), status, error, milliseconds: clock.now() - begun },
    off,
  });
  try {
    const settings = await signingSettings(org);
    if (settings === undefined) return ended(null, "No webhook is set any more", true);
    if (((await org.records.get<Pause>(pauseKey))?.value.until ?? 0) > begun) {
      return ended(null, "Not sent, as the receiver has just left another event unanswered");
    }
    const seconds = Math.floor(begun / 1000);
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
    return ended(status, delivered ? null : `The receiver answered ${status}`);
  } catch (error) {
    if (error instanceof OutboundFailure && error.timedOut) await pause(org);
    if (error instanceof AppError) return ended(null, error.message);
    org.observer.log("error", "webhook not sent", { organization: org.id, event: id, ...describeError(error) });
    return ended(null, "The event could not be signed; rotate the webhook's secret");
  }
}

async function pause(org: Organization): Promise<void> {
  const until = org.engines.clock.now() + PAUSE_MS;
  await org.records.put(pauseKey, { v: 1, until } satisfies Pause, { expiresAt: Math.ceil(until / 1000) });
}

async function conclude(
  org: Organization,
  { value: due, version }: StoredRecord<DueDelivery>,
  { value, expiresAt }: StoredRecord<Delivery>,
  attempt: Attempt,
  off: boolean,
): Promise<void> {
  const delivered = attempt.error === null;
  const wait = delivered || off ? undefined : WAITS[due.tries];
  const now = org.engines.clock.now();
  const queued = wait !== undefined && wait <= LONGEST_DELAY;
  const id = deliveryDue(value.id);
  const condition = { ifVersion: version };
  const next = wait === undefined ? undefined : now + wait * 1000;
  const delivery: Delivery = {
    ...value,
    status: delivered ? "DELIVERED" : next === undefined ? "FAILED" : "PENDING",
    attempts: [...value.attempts, attempt].slice(-MAX_ATTEMPTS),
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
    // Taken over meanwhile: who did that goes on with it.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  const { status } = delivery;
  org.observer.count("webhook_tries_total", { status });
  org.observer.log("info", "webhook tried", { organization: org.id, event: value.id, status, answer: attempt.status });
  if (queued) await enqueue(org, { kind: "deliver-webhook", guid: value.guid, event: value.id }, wait);
}

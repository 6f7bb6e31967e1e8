/** The log of deliveries, and replays of events. */
import { ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { dueDeliveryOf } from "./event-outbox.ts";
import {
  DELIVERIES_PARTITION,
  type Delivery,
  deliveryDue,
  deliveryKey,
  EVENT_ID_PATTERN,
  pauseKey,
  settingsKey,
  type WebhookSettings,
} from "./webhook-records.ts";

/** Lists events, newest first, from the newest or from those before one. */
export async function listDeliveries(
  org: Organization,
  { size, before }: { size: number; before?: string },
): Promise<Delivery[]> {
  const page = await org.records.query<Delivery>({
    partition: DELIVERIES_PARTITION,
    descending: true,
    limit: size + 1,
    ...(before === undefined ? {} : { to: before }),
  });
  const found = page.items.map(({ value }) => value).filter(({ id }) => id !== before);
  return found.slice(0, size);
}

/**
 * Sends an event again, at once, under the same id and with all its attempts.
 * @throws NotFound for an event that is not (or no longer) in the log; Conflict while no webhook is set, or it is
 *   disabled, or while the event is being sent
 */
export async function replayDelivery(org: Organization, event: string): Promise<Delivery> {
  const stored = EVENT_ID_PATTERN.test(event) ? await org.records.get<Delivery>(deliveryKey(event)) : undefined;
  if (stored === undefined) throw new NotFound(`No webhook delivery ${event}`);
  const settings = (await org.records.get<WebhookSettings>(settingsKey))?.value;
  if (settings === undefined) throw new Conflict("No webhook is set; set its url by PUT /settings/webhook first");
  if (settings.disabled !== undefined) {
    throw new Conflict("The webhook is disabled; set its url again by PUT /settings/webhook first");
  }
  const now = org.engines.clock.now();
  const delivery: Delivery = { ...stored.value, status: "PENDING", nextTryAt: new Date(now).toISOString() };
  const { version, expiresAt } = stored;
  try {
    await org.records.transact([
      {
        kind: "put",
        key: deliveryKey(event),
        value: delivery,
        condition: { ifVersion: version },
        ...(expiresAt === undefined ? {} : { expiresAt }),
      },
      { kind: "due-put", id: deliveryDue(event), value: dueDeliveryOf(org, delivery, now) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("This event is being sent at this moment; look at its delivery");
  }
  // A replay ignores a pause of the receiver.
  await org.records.delete(pauseKey);
  await enqueue(org, { kind: "deliver-webhook", guid: delivery.guid, event });
  return delivery;
}

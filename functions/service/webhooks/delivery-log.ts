/** The log of deliveries, and events sent anew. */
import { ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { dueOf } from "./event-outbox.ts";
import {
  DELIVERIES,
  type Delivery,
  deliveryDue,
  deliveryKey,
  EVENT_ID,
  pauseKey,
  settingsKey,
} from "./webhook-records.ts";

/** The newest events, or those before one, newest first. */
export async function listDeliveries(
  org: Organization,
  { size, before }: { size: number; before?: string },
): Promise<Delivery[]> {
  const page = await org.records.query<Delivery>({
    partition: DELIVERIES,
    descending: true,
    limit: size + 1,
    ...(before === undefined ? {} : { to: before }),
  });
  const found = page.items.map(({ value }) => value).filter(({ id }) => id !== before);
  return found.slice(0, size);
}

/**
 * Sends an event again, at once and with all its tries anew, under the id that it has.
 * @throws NotFound for an event that is not in the log (any more); Conflict while no webhook is set, and when it is being
 *   sent at this moment
 */
export async function replayDelivery(org: Organization, event: string): Promise<Delivery> {
  const stored = EVENT_ID.test(event) ? await org.records.get<Delivery>(deliveryKey(event)) : undefined;
  if (stored === undefined) throw new NotFound(`No webhook delivery ${event}`);
  if ((await org.records.get(settingsKey)) === undefined) {
    throw new Conflict("No webhook is set; set its url by PUT /settings/webhook first");
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
      { kind: "due-put", id: deliveryDue(event), value: dueOf(org, delivery, now) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("This event is being sent at this moment; look at its delivery");
  }
  // Who asks for it wants it sent now.
  await org.records.delete(pauseKey);
  await enqueue(org, { kind: "deliver-webhook", guid: delivery.guid, event });
  return delivery;
}

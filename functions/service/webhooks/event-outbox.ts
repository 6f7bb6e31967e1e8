/**
 * Outgoing events. An event is recorded in the transaction that ends its run, so that every end has exactly one event;
 * it is enqueued afterwards, and the sweep enqueues lost ones again.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { JobRecord, RunSummary } from "../runs/job-records.ts";
import {
  DELIVERY_LIFETIME_SECONDS,
  type Delivery,
  type DueDelivery,
  deliveryDue,
  deliveryKey,
  eventType,
  settingsKey,
  type WebhookSettings,
} from "./webhook-records.ts";
import { DISABLED_SENTENCE } from "./webhook-settings.ts";

export interface Outbox {
  /** The operations that record the event of a run's end, to write with it. */
  record(job: Pick<JobRecord, "guid">, ended: RunSummary): OrgOperation[];
  /** Enqueues the recorded event, after the transaction. */
  enqueueRecorded(): Promise<void>;
}

/** Opens the outbox, before a run is ended: loads whether a webhook is set, and is to be sent to. */
export async function openOutbox(org: Organization): Promise<Outbox> {
  const settings = (await org.records.get<WebhookSettings>(settingsKey))?.value;
  let recorded: { guid: string; event: string } | undefined;
  return {
    record({ guid }, ended) {
      if (settings === undefined) return [];
      const now = org.engines.clock.now();
      const event = `msg_${org.engines.clock.guid()}`;
      const delivery = deliveryOf(event, guid, ended, new Date(now).toISOString());
      const key = deliveryKey(event);
      const expiresAt = Math.floor(now / 1000) + DELIVERY_LIFETIME_SECONDS;
      if (settings.disabled !== undefined) return [{ kind: "put", key, value: unsent(delivery), expiresAt }];
      recorded = { guid, event };
      return [
        { kind: "put", key, value: delivery, expiresAt },
        { kind: "due-put", id: deliveryDue(event), value: dueDeliveryOf(org, delivery, now) },
      ];
    },
    // The message of an event whose transaction failed does nothing, as there is no due record.
    async enqueueRecorded() {
      if (recorded !== undefined) await enqueue(org, { kind: "deliver-webhook", ...recorded });
    },
  };
}

function deliveryOf(event: string, guid: string, { run, status, error, facts }: RunSummary, at: string): Delivery {
  const type = eventType(status);
  const payload = JSON.stringify({
    type,
    timestamp: at,
    jobGuid: guid,
    run,
    status,
    error,
    qualityScore: facts?.quality?.score ?? null,
    qualityCategory: facts?.quality?.category ?? null,
  });
  return {
    v: 1,
    id: event,
    type,
    guid,
    run,
    createdAt: at,
    payload,
    status: "PENDING",
    attempts: [],
    nextTryAt: at,
  };
}

/** The event of a disabled webhook: in the log, from which it can be sent later. */
const unsent = (delivery: Delivery): Delivery => ({
  ...delivery,
  status: "FAILED",
  attempts: [{ at: delivery.createdAt, status: null, error: DISABLED_SENTENCE, milliseconds: 0 }],
  nextTryAt: null,
});

/** The due record of an event, due at once. */
export const dueDeliveryOf = (org: Organization, { id, guid }: Delivery, now: number): DueDelivery => ({
  v: 1,
  kind: "webhook",
  organizationId: org.id,
  guid,
  event: id,
  tries: 0,
  dueAt: now,
  handedOver: now,
});

/** Time after which the queue's message of a due event counts as lost. */
const LOST_MESSAGE_MS = 10 * 60 * 1000;

/** Enqueues a due event whose message is not on the queue; called by the sweep. */
export async function sweepDelivery(
  org: Organization,
  { value, version }: StoredRecord<DueDelivery>,
): Promise<boolean> {
  const now = org.engines.clock.now();
  const queued = value.handedOver !== null && Math.max(value.handedOver, value.dueAt) > now - LOST_MESSAGE_MS;
  if (value.dueAt > now || queued) return false;
  const { event, guid } = value;
  try {
    await org.records.transact([
      {
        kind: "due-put",
        id: deliveryDue(event),
        value: { ...value, handedOver: now },
        condition: { ifVersion: version },
      },
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  await enqueue(org, { kind: "deliver-webhook", guid, event });
  return true;
}

/**
 * Events on their way out. An event is recorded in the transaction that ends its run, so that there is one for every end
 * and none for an end that was not; the queue is told afterwards, and the sweep makes up for what the queue lost.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { enqueue } from "../queue/enqueue.ts";
import type { JobRecord, RunSummary } from "../runs/job-records.ts";
import {
  type Delivery,
  type DueDelivery,
  deliveryDue,
  deliveryKey,
  eventType,
  KEEP_SECONDS,
  settingsKey,
} from "./webhook-records.ts";

export interface Outbox {
  /** The event of a run's end, to be written with it. */
  record(job: Pick<JobRecord, "guid">, ended: RunSummary): OrgOperation[];
  /** Once that is written, or was by others: puts on the queue what was recorded. */
  handOver(): Promise<void>;
}

/** Before a run is ended: whether anybody is to be told. */
export async function openOutbox(org: Organization): Promise<Outbox> {
  const wanted = (await org.records.get(settingsKey)) !== undefined;
  let recorded: { guid: string; event: string } | undefined;
  return {
    record({ guid }, ended) {
      if (!wanted) return [];
      const now = org.engines.clock.now();
      const event = `msg_${org.engines.clock.guid()}`;
      recorded = { guid, event };
      const delivery = deliveryOf(event, guid, ended, new Date(now).toISOString());
      const due = dueOf(org, delivery, now);
      return [
        { kind: "put", key: deliveryKey(event), value: delivery, expiresAt: Math.floor(now / 1000) + KEEP_SECONDS },
        { kind: "due-put", id: deliveryDue(event), value: due },
      ];
    },
    // An event whose transaction did not come about has no due record, and its message does nothing.
    async handOver() {
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

/** Due at once, as it is put on the queue right away. */
export const dueOf = (org: Organization, { id, guid }: Delivery, now: number): DueDelivery => ({
  v: 1,
  kind: "webhook",
  organizationId: org.id,
  guid,
  event: id,
  tries: 0,
  dueAt: now,
  handedOver: now,
});

/** What is on the queue so long after its time is taken for lost, in milliseconds. */
const LOST_AFTER_MS = 10 * 60 * 1000;

/** The sweep's part: puts an event on the queue whose time has come and whose message is not there. */
export async function sweepDelivery(
  org: Organization,
  { value, version }: StoredRecord<DueDelivery>,
): Promise<boolean> {
  const now = org.engines.clock.now();
  const queued = value.handedOver !== null && Math.max(value.handedOver, value.dueAt) > now - LOST_AFTER_MS;
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

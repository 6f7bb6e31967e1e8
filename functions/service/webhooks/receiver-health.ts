/** The health of an organization's receiver: a webhook whose receiver fails for days is disabled, with a note. */
import { ConditionFailed } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { failuresKey, type ReceiverFailures, settingsKey, type WebhookSettings } from "./webhook-records.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of failures, without one delivery, after which a webhook is disabled: a long weekend passes. */
const DISABLED_AFTER_DAYS = 4;
/** A longer time without any attempt begins the count anew; attempts of one event are up to 13 hours apart. */
const MAX_FAILURE_GAP_MS = DAY_MS;
/** Failures are noted this often, so that a failing receiver costs few writes. */
const NOTE_INTERVAL_MS = HOUR_MS;

/** Notes a delivery: whatever failed before counts no more. */
export async function noteDelivery(org: Organization): Promise<void> {
  if ((await org.records.get(failuresKey)) !== undefined) await org.records.delete(failuresKey);
}

/** Notes a failed attempt, and disables the webhook after days of them. @param error the attempt's sentence */
export async function noteFailure(org: Organization, error: string): Promise<void> {
  const now = org.engines.clock.now();
  const known = (await org.records.get<ReceiverFailures>(failuresKey))?.value;
  const since = known === undefined || now - known.last > MAX_FAILURE_GAP_MS ? now : known.since;
  if (now - since >= DISABLED_AFTER_DAYS * DAY_MS) return disable(org, since, error);
  if (known === undefined || since === now || now - known.last >= NOTE_INTERVAL_MS) {
    await org.records.put(failuresKey, { v: 1, since, last: now } satisfies ReceiverFailures);
  }
}

async function disable(org: Organization, since: number, error: string): Promise<void> {
  const stored = await org.records.get<WebhookSettings>(settingsKey);
  if (stored === undefined || stored.value.disabled !== undefined) return;
  const disabled = {
    at: new Date(org.engines.clock.now()).toISOString(),
    failingSince: new Date(since).toISOString(),
    reason: `No event was delivered for ${DISABLED_AFTER_DAYS} days; the last attempt: ${error}. Set the url again to enable the webhook`,
  };
  try {
    await org.records.put(settingsKey, { ...stored.value, disabled }, { condition: { ifVersion: stored.version } });
  } catch (failure) {
    // It was set again meanwhile.
    if (failure instanceof ConditionFailed) return;
    throw failure;
  }
  org.observer.log("warn", "webhook disabled", { organization: org.id, failingSince: disabled.failingSince });
}

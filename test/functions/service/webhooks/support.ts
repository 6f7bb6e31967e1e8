/** Test platform for webhooks: ended runs, received events, logged deliveries. */

import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { openRun } from "../../../../functions/service/runs/open-run.ts";
import { listDeliveries } from "../../../../functions/service/webhooks/delivery-log.ts";
import { saveWebhook } from "../../../../functions/service/webhooks/webhook-settings.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { type Receiver, startReceiver } from "../../../support/receiver.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

export interface Webhooks {
  at: TestPlatform;
  receiver: Receiver;
  /** Sets a webhook, by default for the first organization. @returns its secret */
  set(org?: Organization): Promise<string>;
  close(): Promise<void>;
}

export async function openWebhooks(): Promise<Webhooks> {
  const at = testPlatform();
  const receiver = await startReceiver();
  return {
    at,
    receiver,
    set: async (org = at.org) => (await saveWebhook(org, { url: receiver.url, rotate: false })).secret ?? "",
    async close() {
      await receiver.close();
      await at.close();
    },
  };
}

/** An open run without an execution. */
export async function openJob(org: Organization): Promise<string> {
  const guid = await uploaded(org);
  await openRun(withLostStarts(org), guid, commandOf());
  return guid;
}

export async function failedJob(org: Organization): Promise<string> {
  const guid = await openJob(org);
  await settleRun(org, guid, 1, "Processing failed: Text extraction failed");
  return guid;
}

export const newest = async (org: Organization) => (await listDeliveries(org, { size: 1 }))[0];

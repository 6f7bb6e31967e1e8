/** A webhook whose receiver fails for days is disabled with a note, until its address is set again. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { replayDelivery } from "../../../../functions/service/webhooks/delivery-log.ts";
import { findWebhook, saveWebhook } from "../../../../functions/service/webhooks/webhook-settings.ts";
import { processMessages } from "../../../support/work.ts";
import { failedJob, newest, openWebhooks, type Webhooks } from "./support.ts";

const DAY_SECONDS = 86_400;

let open: Webhooks;
let at: Webhooks["at"];
let receiver: Webhooks["receiver"];
beforeEach(async () => {
  open = await openWebhooks();
  ({ at, receiver } = open);
  await open.set();
});
afterEach(() => open.close());

/** Ends a job and tries its event once. */
async function tryEvent(answer: number): Promise<void> {
  receiver.answers.length = 0;
  receiver.answers.push(answer);
  await failedJob(at.org);
  await processMessages(at);
}

/** Fails one event every half day. */
async function failFor(days: number): Promise<void> {
  for (let half = 0; half <= 2 * days; half += 1) {
    receiver.answers.push(...Array.from({ length: 20 }, () => 503));
    await failedJob(at.org);
    await sweep(at.platform, at.system);
    await processMessages(at);
    if (half < 2 * days) at.pass(DAY_SECONDS / 2);
  }
  receiver.answers.length = 0;
}

it("a webhook is disabled after 4 days of failures, and its settings say since when and why", async () => {
  await failFor(3);
  expect(await findWebhook(at.org)).toMatchObject({ disabled: null });
  at.pass(DAY_SECONDS / 2);
  await failFor(0.5);
  const { url, disabled } = await findWebhook(at.org);
  expect(url).toBe(receiver.url);
  expect(disabled?.reason).toMatch(
    /^No event was delivered for 4 days; the last attempt: The receiver answered 503\. /,
  );
  const failing = Date.parse(disabled?.at ?? "") - Date.parse(disabled?.failingSince ?? "");
  expect(failing / 1000).toBeGreaterThanOrEqual(4 * DAY_SECONDS);
  expect(JSON.stringify(await at.other.records.get({ partition: "settings", sort: "webhook" }))).toBeUndefined();
});

it("a disabled webhook logs its events and sends none, until its address is set again", async () => {
  await failFor(4);
  receiver.received.length = 0;
  await failedJob(at.org);
  const event = await newest(at.org);
  expect(event).toMatchObject({
    status: "FAILED",
    nextTryAt: null,
    attempts: [{ status: null, error: expect.stringMatching(/^Not sent, as the webhook is disabled/) }],
  });
  // Events that waited for another attempt end as well.
  at.pass(DAY_SECONDS);
  await sweep(at.platform, at.system);
  await processMessages(at);
  expect(receiver.received).toEqual([]);
  await expect(replayDelivery(at.org, event?.id ?? "")).rejects.toThrow(/is disabled; set its url again/);
  expect(await saveWebhook(at.org, { url: undefined, rotate: true })).toMatchObject({ disabled: expect.anything() });
  expect(await saveWebhook(at.org, { url: receiver.url, rotate: false })).toMatchObject({ disabled: null });
  await replayDelivery(at.org, event?.id ?? "");
  await processMessages(at);
  expect(receiver.received).toHaveLength(1);
  await tryEvent(503);
  expect(await findWebhook(at.org)).toMatchObject({ disabled: null });
});

it("a delivery, or a day without attempts, begins the count anew", async () => {
  await failFor(3);
  at.pass(3600);
  await tryEvent(204);
  at.pass(DAY_SECONDS);
  await failFor(3);
  expect(await findWebhook(at.org)).toMatchObject({ disabled: null });
  at.pass(10 * DAY_SECONDS);
  await tryEvent(503);
  expect(await findWebhook(at.org)).toMatchObject({ disabled: null });
});

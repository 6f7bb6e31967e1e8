/** Events of runs' ends: recorded with the end, signed, retried, logged, replayed, and never lost. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../../client/webhooks.ts";
import { WEBHOOK_QUEUE, WORK_QUEUE } from "../../../../functions/ports/queue.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { sweep } from "../../../../functions/service/lifecycle/sweep.ts";
import { deliverWebhook } from "../../../../functions/service/webhooks/deliver-event.ts";
import { listDeliveries } from "../../../../functions/service/webhooks/delivery-log.ts";
import { MAX_CONCURRENT_DELIVERIES } from "../../../../functions/service/webhooks/webhook-records.ts";
import { saveWebhook } from "../../../../functions/service/webhooks/webhook-settings.ts";
import { startReceiver } from "../../../support/receiver.ts";
import { processMessages } from "../../../support/work.ts";
import { failedJob, newest, openJob, openWebhooks, type Webhooks } from "./support.ts";

let open: Webhooks;
let at: Webhooks["at"];
let receiver: Webhooks["receiver"];
let set: Webhooks["set"];
beforeEach(async () => {
  open = await openWebhooks();
  ({ at, receiver, set } = open);
});
afterEach(() => open.close());

const ids = (): unknown[] => receiver.received.map(({ headers }) => headers["webhook-id"]);

describe("a webhook event", () => {
  it("reports the end of a run once, signed", async () => {
    const secret = await set();
    const guid = await failedJob(at.org);
    await settleRun(at.org, guid, 1, "too late");
    expect(await processMessages(at)).toHaveLength(1);
    const [one, ...more] = receiver.received;
    if (one === undefined) throw new Error("Nothing came");
    expect(more).toEqual([]);
    const { id, event } = await verifyWebhook({ payload: one.body, headers: one.headers, secret });
    expect(event).toEqual({
      type: "job.failed",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      jobGuid: guid,
      run: 1,
      status: "FAILED",
      error: "Processing failed: Text extraction failed",
      qualityScore: null,
      qualityCategory: null,
    });
    expect(one.headers["content-type"]).toBe("application/json");
    expect(await newest(at.org)).toMatchObject({
      id,
      status: "DELIVERED",
      nextTryAt: null,
      attempts: [{ status: 204, error: null }],
    });
    expect(await at.org.records.due(`webhook/${id}`)).toBeUndefined();
  });

  it("is sent only to the job's organization, when it has a webhook", async () => {
    await set(at.other);
    await failedJob(at.org);
    expect(await processMessages(at)).toEqual([]);
    expect(await listDeliveries(at.org, { size: 10 })).toEqual([]);
    await failedJob(at.other);
    await processMessages(at);
    expect(receiver.received).toHaveLength(1);
    expect(await listDeliveries(at.org, { size: 10 })).toEqual([]);
    expect(await listDeliveries(at.other, { size: 10 })).toHaveLength(1);
  });

  it("keeps its id over three failed attempts", async () => {
    const secret = await set();
    receiver.answers.push(500, "cut", "redirect");
    await failedJob(at.org);
    await processMessages(at);
    for (const seconds of [5, 60]) {
      at.pass(seconds);
      await processMessages(at);
    }
    expect(await newest(at.org)).toMatchObject({ status: "PENDING" });
    at.pass(600);
    await processMessages(at);
    expect(new Set(ids()).size).toBe(1);
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times.map((time, index) => time - (times[index - 1] ?? time))).toEqual([
      0,
      expect.closeTo(5, -0.5),
      expect.closeTo(60, -0.5),
      expect.closeTo(600, -0.5),
    ]);
    const last = receiver.received[3];
    const now = Number(last?.headers["webhook-timestamp"]) * 1000;
    await verifyWebhook({ payload: last?.body ?? "", headers: last?.headers ?? {}, secret, now });
    expect(await newest(at.org)).toMatchObject({
      status: "DELIVERED",
      attempts: [
        { status: 500, error: "The receiver answered 500" },
        { status: null, error: "The connection was cut" },
        { status: null, error: expect.stringContaining("redirect (302)") },
        { status: 204, error: null },
      ],
    });
  });

  it("is attempted 8 times in 24 hours, then given up; the sweep ends long waits", async () => {
    await set();
    receiver.answers.push(...Array.from({ length: 20 }, () => 503));
    await failedJob(at.org);
    const begun = at.platform.engines.clock.now();
    await processMessages(at);
    for (let tries = 1; tries < 8; tries += 1) {
      const { nextTryAt } = (await newest(at.org)) ?? {};
      const wait = Date.parse(nextTryAt ?? "") - at.platform.engines.clock.now();
      if (wait > 900_000) {
        at.pass(wait / 1000 - 60);
        expect(await sweep(at.platform, at.system)).toBe(0);
        at.pass(61);
        expect(await sweep(at.platform, at.system)).toBe(1);
      } else at.pass(wait / 1000 + 1);
      await processMessages(at);
      expect(receiver.received).toHaveLength(tries + 1);
    }
    const hours = (at.platform.engines.clock.now() - begun) / 3_600_000;
    expect(hours).toBeGreaterThan(23.5);
    expect(hours).toBeLessThan(24.5);
    expect(await newest(at.org)).toMatchObject({ status: "FAILED", nextTryAt: null });
    at.pass(86_400);
    await sweep(at.platform, at.system);
    expect(await processMessages(at)).toEqual([]);
    expect(new Set(ids()).size).toBe(1);
  });

  it("is enqueued once by the sweep when its message was lost", async () => {
    await set();
    const queue = { ...at.org.queue, send: async () => ({ id: "lost" }) };
    const guid = await openJob(at.org);
    await settleRun({ ...at.org, queue }, guid, 1, "Processing failed: enough");
    expect(await sweep(at.platform, at.system)).toBe(0);
    at.pass(601);
    expect(await sweep(at.platform, at.system)).toBe(1);
    expect(await sweep(at.platform, at.system)).toBe(0);
    await processMessages(at);
    expect(receiver.received).toHaveLength(1);
  });

  it("is not recorded for a failed transaction", async () => {
    await set();
    const guid = await openJob(at.org);
    const records = { ...at.org.records, transact: () => Promise.reject(new Error("the store is down")) };
    await expect(settleRun({ ...at.org, records }, guid, 1, "Processing failed: x")).rejects.toThrow("down");
    expect(await listDeliveries(at.org, { size: 10 })).toEqual([]);
    expect(await processMessages(at)).toEqual([]);
  });

  it("pauses the other events of a hanging receiver", async () => {
    await set();
    receiver.answers.push("never");
    for (let job = 0; job < 5; job += 1) await failedJob(at.org);
    const { outbound } = at.platform.engines;
    const impatient: typeof outbound = {
      check: (url) => outbound.check(url),
      request: (url, request) => outbound.request(url, { ...request, timeoutMs: 100 }),
    };
    await processMessages({
      ...at,
      platform: { ...at.platform, engines: { ...at.platform.engines, outbound: impatient } },
    });
    expect(receiver.received).toHaveLength(1);
    const tried = await listDeliveries(at.org, { size: 10 });
    expect(tried.map(({ attempts }) => attempts[0]?.error).sort()).toEqual([
      "No answer within 0.1 s",
      ...Array.from({ length: 4 }, () => "Not sent, as the receiver has just left another event unanswered"),
    ]);
    for (const seconds of [6, 61]) {
      at.pass(seconds);
      await processMessages(at);
    }
    expect(new Set(ids()).size).toBe(5);
    const statuses = (await listDeliveries(at.org, { size: 10 })).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(["DELIVERED"]));
  });

  it("waits, without an attempt, while its organization has too many deliveries under way", async () => {
    await set();
    await set(at.other);
    const limit = { most: MAX_CONCURRENT_DELIVERIES, seconds: 60 };
    const taken = await Promise.all(Array.from({ length: 4 }, () => at.org.slots.take("webhooks", limit)));
    await failedJob(at.org);
    await failedJob(at.other);
    await processMessages(at);
    expect(receiver.received).toHaveLength(1);
    expect(await newest(at.other)).toMatchObject({ status: "DELIVERED" });
    expect(await newest(at.org)).toMatchObject({ status: "PENDING", attempts: [] });
    await Promise.all(taken.map((slot) => slot?.release()));
    at.pass(4);
    expect(await processMessages(at)).toEqual([]);
    at.pass(27);
    await processMessages(at);
    expect(await newest(at.org)).toMatchObject({ status: "DELIVERED", attempts: [{ status: 204 }] });
    expect(receiver.received).toHaveLength(2);
  });

  it("gives a slow receiver a pause as long as its answer took, and a quick one none", async () => {
    await set();
    await failedJob(at.org);
    expect(await deliverWebhook(at.org, (await newest(at.org))?.id ?? "")).toEqual({ pauseMs: 0 });
    await failedJob(at.org);
    const { outbound } = at.org.engines;
    const slow: typeof outbound = {
      check: (url) => outbound.check(url),
      request(url, request) {
        at.pass(8);
        return outbound.request(url, request);
      },
    };
    const org = { ...at.org, engines: { ...at.org.engines, outbound: slow } };
    const { pauseMs } = await deliverWebhook(org, (await newest(at.org))?.id ?? "");
    expect(pauseMs).toBeGreaterThanOrEqual(8_000);
    const limit = { most: MAX_CONCURRENT_DELIVERIES, seconds: 60 };
    const free = await Promise.all(Array.from({ length: 4 }, () => at.org.slots.take("webhooks", limit)));
    expect(free.filter((slot) => slot !== undefined)).toHaveLength(3);
  });

  it("goes to a queue of its own, in its organization's group", async () => {
    await set();
    await failedJob(at.org);
    expect(await at.platform.queue.receive(WORK_QUEUE)).toEqual([]);
    expect(await at.platform.queue.receive(WEBHOOK_QUEUE)).toMatchObject([
      { body: { kind: "deliver-webhook" }, group: "organization-1" },
    ]);
  });

  it("is sent once when its message is delivered twice", async () => {
    await set();
    await failedJob(at.org);
    const event = (await newest(at.org))?.id ?? "";
    await Promise.all(Array.from({ length: 5 }, () => deliverWebhook(at.org, event)));
    await processMessages(at);
    expect(receiver.received).toHaveLength(1);
  });

  it("is sent again when its sender died", async () => {
    await set();
    await failedJob(at.org);
    const event = (await newest(at.org))?.id ?? "";
    const outbound = { ...at.org.engines.outbound, request: () => new Promise<never>(() => undefined) };
    void deliverWebhook({ ...at.org, engines: { ...at.org.engines, outbound } }, event);
    await at.platform.engines.clock.sleep(20);
    await processMessages(at);
    expect(receiver.received).toEqual([]);
    at.pass(61);
    expect(await sweep(at.platform, at.system)).toBe(1);
    await processMessages(at);
    expect(receiver.received).toHaveLength(1);
  });

  it("is sent to the current address, and not sent without a webhook", async () => {
    await set();
    receiver.answers.push(500);
    await failedJob(at.org);
    await processMessages(at);
    const moved = await startReceiver();
    await saveWebhook(at.org, { url: moved.url, rotate: false });
    at.pass(6);
    await processMessages(at);
    expect([receiver.received.length, moved.received.length]).toEqual([1, 1]);
    await moved.close();
    await failedJob(at.org);
    await saveWebhook(at.org, { url: undefined, rotate: false });
    await processMessages(at);
    expect(await newest(at.org)).toMatchObject({
      status: "FAILED",
      attempts: [{ error: "No webhook is set any more" }],
    });
  });

  it("is not sent to an address that has become private", async () => {
    await set();
    const settings = { partition: "settings", sort: "webhook" };
    const stored = (await at.org.records.get(settings))?.value;
    if (stored === undefined) throw new Error("It was just set");
    await at.org.records.put(settings, { ...stored, url: "https://169.254.169.254/" });
    await failedJob(at.org);
    await processMessages(at);
    expect((await newest(at.org))?.attempts).toMatchObject([
      { status: null, error: expect.stringContaining("not public") },
    ]);
  });
});

it("drops a message without a delivery", async () => {
  await at.platform.queue.send(WEBHOOK_QUEUE, {
    kind: "deliver-webhook",
    organizationId: 1,
    guid: "g",
    event: "msg_none",
  });
  expect(await processMessages(at)).toHaveLength(1);
});

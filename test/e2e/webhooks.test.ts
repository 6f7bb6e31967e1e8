/** Webhooks as their receivers see them; against a deployment, which sends to no test, as its log of deliveries shows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SheafClient, verifyWebhook, type WebhookDelivery } from "../../client/index.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { needsOwnService, REMOTE_URL } from "../support/target.ts";

let target: TestService;
let receiver: Receiver;
let client: SheafClient;
beforeAll(async () => {
  target = await startTestService();
  receiver = await startReceiver();
  client = new SheafClient({ apiUrl: target.url, token: target.api.key });
});
afterAll(async () => {
  await receiver.close();
  await target.close();
});

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = performance.now() + 60_000; ; ) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error("It never came to that");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The newest delivery, once it has been tried so often. */
const tried = (times: number): Promise<WebhookDelivery> =>
  until(async () => {
    const { json } = await target.api.get("/settings/webhook/deliveries?size=1");
    return json[0]?.attempts.length >= times ? json[0] : undefined;
  });

const put = (json: unknown) => target.api.call("PUT", "/settings/webhook", { json });

describe("the webhook setting", () => {
  it("is null until it is set, and again afterwards", async () => {
    const none = { url: null, secretCreatedAt: null, previousSecretExpiresAt: null, disabled: null };
    expect((await target.api.get("/settings/webhook")).json).toEqual(none);
    const { json } = await put({ url: "https://hooks.sheaf.invalid/x" });
    expect(json).toMatchObject({ url: "https://hooks.sheaf.invalid/x", secret: expect.stringMatching(/^whsec_/) });
    expect((await put({ rotate: true })).json).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect((await target.api.get("/settings/webhook")).json).not.toHaveProperty("secret");
    expect((await put({ url: null })).json).toEqual(none);
  });

  it.each([
    "https://169.254.169.254/latest/meta-data/",
    "https://0xa9fea9fe/",
    "https://10.0.0.1/",
    "https://[::ffff:10.0.0.1]/",
    "http://example.com/",
    "https://user:secret@example.com/",
    "https://example.com:22/",
    "nowhere",
  ])("refuses %s", async (url) => {
    const answer = await put({ url });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.message).toMatch(/^The url\b/);
    expect((await target.api.get("/settings/webhook")).json.url).toBeNull();
  });

  it.runIf(REMOTE_URL !== undefined)("refuses loopback in a deployment", async () => {
    for (const url of [receiver.url, "https://127.0.0.1:9001/"]) expect((await put({ url })).status).toBe(400);
  });

  it("requires the admin scope", async () => {
    for (const path of ["/settings/webhook", "/settings/webhook/deliveries"]) {
      expect((await target.api.get(path, { key: target.keys.reader })).status).toBe(403);
    }
    expect((await target.api.get("/user/me")).json).toMatchObject({
      id: expect.stringMatching(/./),
      email: null,
      organizationId: target.keys.organizationId,
    });
  });
});

describe.skipIf(needsOwnService("receiving webhooks"))("a webhook receiver", () => {
  it("gets each end of a run, signed, and immediately again after a failure", async () => {
    const { secret = "" } = await client.webhooks.set({ url: receiver.url });
    receiver.answers.push(500);
    const done = await target.api.processed("Invoice number: 17\n", { schema: { invoice_number: "string" } });
    const delivery = await tried(2);
    expect(delivery).toMatchObject({ status: "DELIVERED", type: "job.completed", jobGuid: done.guid });
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([delivery.id, delivery.id]);
    for (const { body, headers } of receiver.received) {
      const { id, event } = await verifyWebhook({ payload: body, headers, secret });
      expect([id, event]).toEqual([delivery.id, delivery.event]);
      expect(event).toMatchObject({
        status: "COMPLETED",
        error: null,
        qualityScore: done.qualityScore,
        qualityCategory: done.qualityCategory,
      });
    }
    expect((await target.api.processed(" \n \n", {})).status).toBe("FAILED");
    expect(await tried(1)).toMatchObject({
      type: "job.failed",
      event: { error: "Processing failed: Text extraction failed" },
    });
  });

  it("gets an event again on request", async () => {
    receiver.received.length = 0;
    const [newest] = await client.webhooks.deliveries({ size: 1 });
    const again = await client.webhooks.replay(newest?.id ?? "");
    expect(again.status).toBe("PENDING");
    await until(() => receiver.received[0]);
    expect(receiver.received[0]?.headers["webhook-id"]).toBe(newest?.id);
    expect((await tried(2)).status).toBe("DELIVERED");
    expect((await target.other.get("/settings/webhook/deliveries")).json).toEqual([]);
  });

  it("appears in no log with its secret, its address or its content", async () => {
    const { secret = "" } = await client.webhooks.set({ rotate: true });
    await target.api.processed("Invoice number: SECRET-18\n", { schema: { invoice_number: "string" } });
    await tried(1);
    for (const hidden of [secret.slice(6), "/hook", "SECRET-18"]) expect(target.log()).not.toContain(hidden);
    await client.webhooks.set({ url: null });
  });
});

it("a webhook to an unreachable receiver is in the log of deliveries, with the next attempt", async () => {
  await put({ url: "https://hooks.sheaf.invalid/x" });
  const done = await target.api.processed("Total: 5\n", {});
  const delivery = await tried(1);
  expect(delivery).toMatchObject({ status: "PENDING", jobGuid: done.guid, event: { status: "COMPLETED" } });
  expect(delivery.attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/host|No answer/) });
  expect(Date.parse(delivery.nextTryAt ?? "")).toBeGreaterThan(Date.parse(delivery.createdAt));
  expect((await put({})).json.url).toBeNull();
  const replayed = await target.api.post(`/settings/webhook/deliveries/${delivery.id}/replay`);
  expect(replayed.status).toBe(409);
});

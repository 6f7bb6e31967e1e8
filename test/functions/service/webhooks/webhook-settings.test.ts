/** The secret that signs events, and the log of deliveries. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../../client/webhooks.ts";
import { listDeliveries, replayDelivery } from "../../../../functions/service/webhooks/delivery-log.ts";
import { findWebhook, saveWebhook } from "../../../../functions/service/webhooks/webhook-settings.ts";
import { processMessages } from "../../../support/work.ts";
import { failedJob, newest, openWebhooks, type Webhooks } from "./support.ts";

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

describe("a webhook's secret", () => {
  it("is shown once, and never stored in clear text", async () => {
    const secret = await set();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await findWebhook(at.org)).toEqual({
      url: receiver.url,
      secretCreatedAt: expect.any(String),
      previousSecretExpiresAt: null,
      disabled: null,
    });
    const stored = await at.org.records.get({ partition: "settings", sort: "webhook" });
    expect(JSON.stringify(stored)).not.toContain(secret.slice(6));
    expect(await saveWebhook(at.org, { url: `${receiver.url}/2`, rotate: false })).not.toHaveProperty("secret");
  });

  it("is not changed by the later of two writers that meet", async () => {
    await set();
    const other = () => saveWebhook(at.org, { url: `${receiver.url}/other`, rotate: false });
    const { records, engines } = at.org;
    const outbound = { ...engines.outbound, check: async () => void (await other()) };
    const sentence = /^Concurrent modification: the webhook was changed by another request at the same time/;
    const saving = saveWebhook({ ...at.org, engines: { ...engines, outbound } }, { url: receiver.url, rotate: false });
    await expect(saving).rejects.toMatchObject({ kind: "Conflict", message: expect.stringMatching(sentence) });
    const deleting: typeof records.delete = async (key, condition) => {
      await other();
      return records.delete(key, condition);
    };
    const org = { ...at.org, records: { ...records, delete: deleting } };
    await expect(saveWebhook(org, { url: undefined, rotate: false })).rejects.toThrow(sentence);
    expect(await findWebhook(at.org)).toMatchObject({ url: `${receiver.url}/other` });
  });

  it("signs beside its successor for a day after a rotation", async () => {
    const old = await set();
    const { secret = "", previousSecretExpiresAt } = await saveWebhook(at.org, { url: undefined, rotate: true });
    expect(secret).not.toBe(old);
    expect(Date.parse(previousSecretExpiresAt ?? "") - at.platform.engines.clock.now()).toBeCloseTo(86_400_000, -4);
    await failedJob(at.org);
    await processMessages(at);
    const [during] = receiver.received;
    const check = (one: typeof during, key: string) =>
      verifyWebhook({
        payload: one?.body ?? "",
        headers: one?.headers ?? {},
        secret: key,
        now: at.platform.engines.clock.now(),
      });
    await check(during, old);
    await check(during, secret);
    at.pass(86_401);
    await failedJob(at.org);
    await processMessages(at);
    const after = receiver.received[1];
    await check(after, secret);
    await expect(check(after, old)).rejects.toThrow("signature");
    expect(await findWebhook(at.org)).toMatchObject({ previousSecretExpiresAt: null });
  });

  it("does not open for another organization", async () => {
    await set();
    const settings = { partition: "settings", sort: "webhook" };
    const mine = await at.org.records.get(settings);
    await at.other.records.put(settings, { v: 1, ...mine?.value });
    await failedJob(at.other);
    await processMessages(at);
    expect(receiver.received).toEqual([]);
    expect((await newest(at.other))?.attempts).toMatchObject([{ error: expect.stringContaining("signed") }]);
  });

  it("is deleted with the webhook", async () => {
    const old = await set();
    await saveWebhook(at.org, { url: undefined, rotate: false });
    expect(await findWebhook(at.org)).toMatchObject({ url: null, secretCreatedAt: null });
    expect(await set()).not.toBe(old);
    await expect(saveWebhook(at.other, { url: undefined, rotate: true })).rejects.toMatchObject({ kind: "BadRequest" });
  });
});

describe("the log of deliveries", () => {
  it("lists newest first, page by page, for 14 days", async () => {
    await set();
    const guids: string[] = [];
    for (let job = 0; job < 5; job += 1) {
      guids.unshift(await failedJob(at.org));
      // Ids are ordered by millisecond.
      await at.platform.engines.clock.sleep(2);
    }
    const first = await listDeliveries(at.org, { size: 2 });
    const rest = await listDeliveries(at.org, { size: 10, before: first[1]?.id ?? "" });
    expect([...first, ...rest].map(({ guid }) => guid)).toEqual(guids);
    at.pass(15 * 86_400);
    expect(await listDeliveries(at.org, { size: 10 })).toEqual([]);
    // Their messages are still delivered, and find no delivery.
    await processMessages(at);
    expect(receiver.received).toEqual([]);
  });

  it("sends an event again under its id, with all attempts", async () => {
    await set();
    await failedJob(at.org);
    await processMessages(at);
    const event = (await newest(at.org))?.id ?? "";
    receiver.answers.push(500);
    expect(await replayDelivery(at.org, event)).toMatchObject({ id: event, status: "PENDING" });
    await processMessages(at);
    at.pass(6);
    await processMessages(at);
    expect(new Set(ids())).toEqual(new Set([event]));
    expect(receiver.received).toHaveLength(3);
    expect(await newest(at.org)).toMatchObject({
      status: "DELIVERED",
      attempts: [{}, { status: 500 }, { status: 204 }],
    });
    await expect(replayDelivery(at.other, event)).rejects.toMatchObject({ kind: "NotFound" });
    await saveWebhook(at.org, { url: undefined, rotate: false });
    await expect(replayDelivery(at.org, event)).rejects.toMatchObject({ kind: "Conflict" });
  });
});

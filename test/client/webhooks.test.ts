/** verifyWebhook compared with the reference implementation of Standard Webhooks, and against forgeries. */
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../client/webhooks.ts";

/** The example in the specification of Standard Webhooks. */
const SPECIFICATION_EXAMPLE = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: 1_614_265_330,
  payload: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const { secret, id, timestamp, payload, signature } = SPECIFICATION_EXAMPLE;
const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
const now = timestamp * 1000;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, "other").toString("base64")}`;

describe("verifyWebhook", () => {
  it("accepts the specification's example in every form of its parts", async () => {
    const expected = { id, event: { test: 2_432_232_314 } };
    expect(await verifyWebhook({ payload, headers, secret, now })).toEqual(expected);
    expect(await verifyWebhook({ payload: Buffer.from(payload), headers: new Headers(headers), secret, now })).toEqual(
      expected,
    );
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook({ payload, headers: shouted, secret: secret.slice(6), now })).toEqual(expected);
    expect(await verifyWebhook({ payload, headers, secret: [OTHER_SECRET, secret], now })).toEqual(expected);
  });

  it("agrees with the reference implementation, also on non-ASCII letters and two signatures", async () => {
    const body = JSON.stringify({ error: "Größe — 10 €, 漢字" });
    const at = new Date();
    const signatures = [OTHER_SECRET, secret].map((one) => new Webhook(one).sign("msg_1", at, body));
    const sent = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": signatures.join(" "),
    };
    for (const one of [secret, OTHER_SECRET]) {
      expect(await verifyWebhook({ payload: body, headers: sent, secret: one })).toMatchObject({ id: "msg_1" });
      expect(new Webhook(one).verify(body, sent)).toEqual(JSON.parse(body));
    }
  });

  it.each<[string, Partial<Parameters<typeof verifyWebhook>[0]>, RegExp]>([
    ["another secret", { secret: OTHER_SECRET }, /signature/],
    ["another body", { payload: '{"test": 2432232315}' }, /signature/],
    ["another id", { headers: { ...headers, "webhook-id": "msg_2" } }, /signature/],
    ["another time", { headers: { ...headers, "webhook-timestamp": String(timestamp + 1) } }, /signature/],
    ["a time that is none", { headers: { ...headers, "webhook-timestamp": "soon" } }, /signature|none/],
    [
      "a signature of another version",
      { headers: { ...headers, "webhook-signature": signature.replace("v1", "v2") } },
      /signature/,
    ],
    ["a signature that is none", { headers: { ...headers, "webhook-signature": "v1,***" } }, /signature/],
    ["a cut signature", { headers: { ...headers, "webhook-signature": signature.slice(0, -8) } }, /signature/],
    [
      "no signature",
      { headers: { "webhook-id": id, "webhook-timestamp": String(timestamp) } },
      /webhook-signature is missing/,
    ],
    ["an old one", { now: now + 301_000 }, /300 s off/],
    ["one of the future", { now: now - 301_000 }, /300 s off/],
    ["one too old for who is strict", { now: now + 11_000, toleranceSeconds: 10 }, /10 s off/],
  ])("refuses %s", async (_name, change, sentence) => {
    const checked = verifyWebhook({ payload, headers, secret, now, ...change });
    await expect(checked).rejects.toThrow(WebhookVerificationError);
    await expect(checked).rejects.toThrow(sentence);
  });

  it("refuses a malformed secret", async () => {
    for (const none of ["whsec_", "", "whsec_***"]) {
      await expect(verifyWebhook({ payload, headers, secret: none, now })).rejects.toThrow(TypeError);
    }
    await expect(verifyWebhook({ payload, headers, secret: [], now })).rejects.toThrow(WebhookVerificationError);
  });
});

/** Payments that are not configured, or not right. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "../../bin/api-keys.ts";
import { parseConfig } from "../../bin/local/config.ts";
import { parsePayments, parsePublicUrl } from "../../bin/payments.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { eventOf, signatureOf, stripeSettings } from "../support/stripe-events.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService({ env: { STRIPE_SECRET_KEY: "" } });
});
afterAll(() => target.close());

describe("without payments", () => {
  it("the prices are an empty list, and buying is 503 with a sentence", async () => {
    expect(await target.api.get("/billing/prices")).toMatchObject({ status: 200, json: [] });
    const message = "Payments are not configured here; ask the service's operator for tokens";
    const checkout = await target.api.post("/billing/checkout", { json: { priceId: "price_a" } });
    expect(checkout).toMatchObject({ status: 503, json: { message } });
    expect(await target.api.post("/billing/portal")).toMatchObject({ status: 503, json: { message } });
  });

  it("an event is 503", async () => {
    const event = eventOf("checkout.session.completed", {});
    const headers = { "stripe-signature": signatureOf(JSON.stringify(event)) };
    const answer = await target.api.call("POST", "/billing/webhook", { key: null, headers, json: event });
    expect(answer.status).toBe(503);
  });

  it("GET /health says how to turn them on", async () => {
    const { payments } = (await target.api.get("/health")).json.engines;
    expect(payments).toMatchObject({ on: false, detail: expect.stringContaining("STRIPE_SECRET_KEY") });
  });
});

describe("the settings of payments", () => {
  const settings = stripeSettings("http://127.0.0.1:1");

  it("are the keys, and prices or a product", () => {
    expect(parsePayments({})).toBeNull();
    expect(parsePayments({ ...settings, STRIPE_PRICE_IDS: " price_a, price_b price_a" })).toMatchObject({
      secretKey: "sk_test_secret",
      apiBase: "http://127.0.0.1:1",
      offer: { prices: ["price_a", "price_b"] },
    });
    const ofProduct = { ...settings, STRIPE_PRICE_IDS: "", STRIPE_PRODUCT_ID: "prod_1" };
    expect(parsePayments(ofProduct)).toMatchObject({ offer: { product: "prod_1" } });
  });

  it.each([
    [{ STRIPE_WEBHOOK_SECRET: "" }, "STRIPE_WEBHOOK_SECRET is not set"],
    [{ STRIPE_PRICE_IDS: "" }, "Set either STRIPE_PRICE_IDS"],
    [{ STRIPE_PRODUCT_ID: "prod_1" }, "Set either STRIPE_PRICE_IDS"],
    [{ STRIPE_PRICE_IDS: "price a/b" }, "'a/b' is no id"],
    [{ STRIPE_API_BASE: "https://example.com/v1" }, "STRIPE_API_BASE must be"],
    [{ STRIPE_SECRET_KEY: "sk test" }, "STRIPE_SECRET_KEY must be"],
  ])("of %j are refused", (wrong, message) => {
    const parse = () => parsePayments({ ...settings, ...wrong });
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow("sk test");
  });

  it("tell callers without tokens where to buy some, by the service's public address", () => {
    expect(parsePublicUrl({})).toBeNull();
    expect(() => parsePublicUrl({ SHEAF_PUBLIC_URL: "sheaf.example.com" })).toThrow(ConfigError);
    const env = { ...settings, SHEAF_PUBLIC_URL: "https://sheaf.example.com/" };
    expect(parseConfig(env).billing).toMatchObject({
      checkoutUrl: "https://sheaf.example.com/billing/checkout",
      portalUrl: "https://sheaf.example.com/billing/portal",
    });
    const own = { ...env, SHEAF_CHECKOUT_URL: "https://shop.example.com" };
    expect(parseConfig(own).billing.checkoutUrl).toBe("https://shop.example.com");
  });
});

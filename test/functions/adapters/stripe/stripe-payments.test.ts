/** The Stripe driver: the offer, and a provider that is slow. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStripe, type StripeOptions } from "../../../../functions/adapters/stripe/stripe-payments.ts";
import { PRICES_TTL_MS } from "../../../../functions/adapters/stripe/stripe-prices.ts";
import type { NewCheckout } from "../../../../functions/ports/payments.ts";
import { type StripeServer, startStripeServer, stripePrice } from "../../../support/stripe-server.ts";

const TIMEOUT_MS = 100;
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await startStripeServer([
    stripePrice("price_a"),
    stripePrice("price_b", { product: "prod_other" }),
    stripePrice("price_c", { active: false }),
    stripePrice("price_d", { metadata: { tokens_granted: "1000000001" } }),
    stripePrice("price_e", { unit_amount: null }),
  ]);
});
afterAll(() => stripe.close());
beforeEach(() => {
  stripe.always = undefined;
  stripe.requests.length = 0;
});

let now = Date.UTC(2026, 10, 23);
const skipped: string[] = [];
const open = (more: Partial<StripeOptions> = {}) =>
  openStripe({
    secretKey: "sk_test_secret",
    webhookSecret: "whsec_test_secret",
    apiBase: stripe.url,
    offer: { product: "prod_tokens" },
    clock: { now: () => now },
    deployment: async () => "here",
    onSkipped: (price, reason) => skipped.push(`${price}: ${reason}`),
    timeoutMs: TIMEOUT_MS,
    ...more,
  });

describe("the offer of a product", () => {
  it("is its active prices, without those that are no packs", async () => {
    expect((await open().prices()).map(({ priceId }) => priceId)).toEqual(["price_a"]);
    expect(stripe.requests[0]?.parameters).toEqual({ product: "prod_tokens", active: "true", limit: "100" });
    expect(skipped.sort()).toEqual([
      "price_d: its metadata tokens_granted is not a whole number from 1 to 1000000000",
      "price_e: it has no amount in whole units",
    ]);
  });

  it("is read anew after five minutes, and by all who wait at once together", async () => {
    const payments = open();
    await Promise.all([payments.prices(), payments.prices()]);
    now += PRICES_TTL_MS - 1;
    await payments.prices();
    expect(stripe.requests).toHaveLength(1);
    now += 1;
    await payments.prices();
    expect(stripe.requests).toHaveLength(2);
  });

  it("is asked for again after a failure", async () => {
    const payments = open();
    stripe.always = { status: 503 };
    await expect(payments.prices()).rejects.toMatchObject({ kind: "ServiceUnavailable", retryAfter: 5 });
    stripe.always = undefined;
    expect(await payments.prices()).toHaveLength(1);
  });
});

describe("a provider that is slow", () => {
  it("is given up in time, with a sentence and under one key", async () => {
    const payments = open();
    const [price] = await payments.prices();
    const wish: NewCheckout = {
      organizationId: 1,
      price: price as NonNullable<typeof price>,
      quantity: 1,
      successUrl: "https://sheaf.example.com/",
      cancelUrl: "https://sheaf.example.com/",
      idempotencyKey: "a-key",
    };
    stripe.always = { delay: 10 * TIMEOUT_MS };
    const start = performance.now();
    await expect(payments.checkout(wish)).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      message: "The payment provider does not answer; nothing was charged, try again",
    });
    // Two attempts, and the pause between them.
    expect(performance.now() - start).toBeLessThan(30 * TIMEOUT_MS);
    const keys = stripe.requests.slice(1).map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys)).toEqual(new Set(["a-key-new"]));
  });
});

it.each(["ftp://example.com", "https://example.com/v1", "not an address"])("the address %s is refused", (apiBase) => {
  expect(() => open({ apiBase })).toThrow("STRIPE_API_BASE must be an address without a path");
});

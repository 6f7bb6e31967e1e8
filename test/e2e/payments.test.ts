/** Tokens bought with Stripe: prices, checkouts and the webhook, over its endpoints in this process. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PRICES_TTL_MS } from "../../functions/adapters/stripe/stripe-prices.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { eventOf, Payment, signatureOf, stripeSettings } from "../support/stripe-events.ts";
import { hasStripeDescription, type StripeServer, startStripeServer, stripePrice } from "../support/stripe-server.ts";

let stripe: StripeServer;
let target: TestService;
beforeAll(async () => {
  stripe = await startStripeServer([
    stripePrice("price_a", { nickname: "5,000 tokens" }),
    stripePrice("price_none", { metadata: {} }),
    stripePrice("price_part", { metadata: { tokens_granted: "1.5" } }),
    stripePrice("price_zero", { metadata: { tokens_granted: "0" } }),
    stripePrice("price_monthly", { type: "recurring" }),
    stripePrice("price_old", { active: false }),
    stripePrice("price_other"),
  ]);
  const STRIPE_PRICE_IDS = "price_a,price_none,price_part,price_zero,price_monthly,price_old,price_gone";
  target = await startTestService({
    env: { ...stripeSettings(stripe.url), STRIPE_PRICE_IDS, SHEAF_PUBLIC_URL: "https://sheaf.example.com/" },
  });
});
afterAll(async () => {
  await target.close();
  await stripe.close();
});
beforeEach(() => {
  stripe.faults.length = 0;
  stripe.always = undefined;
});

const balanceOf = async (api = target.api): Promise<number> => (await api.get("/billing/balance")).json.balance;
const entriesOf = async (api = target.api) => (await api.get("/billing/usage")).json.entries;

async function deliver(event: object, header = signatureOf(JSON.stringify(event)), body = JSON.stringify(event)) {
  const headers = { "stripe-signature": header, "content-type": "application/json; charset=utf-8" };
  return target.api.call("POST", "/billing/webhook", { key: null, headers, body });
}

/** A payment of a checkout of its own, with 5,000 tokens a pack. */
async function bought(quantity = 1, api = target.api): Promise<Payment> {
  const { sessionId } = (await api.post("/billing/checkout", { json: { priceId: "price_a", quantity } })).json;
  return new Payment(sessionId, stripe.sessions.get(sessionId) ?? {}, 1_000 * quantity);
}

describe("the prices", () => {
  it("are the packs of the offer, and others are skipped with a warning", async () => {
    const { json } = await target.api.get("/billing/prices");
    expect(json).toEqual([
      {
        priceId: "price_a",
        productId: "prod_tokens",
        currency: "eur",
        unitAmount: 1_000,
        tokensGranted: 5_000,
        nickname: "5,000 tokens",
      },
    ]);
    for (const price of ["none", "part", "zero", "monthly", "old", "gone"])
      expect(target.log()).toMatch(new RegExp(`"warn".*price not offered.*"price_${price}"`));
  });

  it("are asked for once in five minutes", async () => {
    await target.api.get("/billing/prices");
    const asked = stripe.requests.length;
    await Promise.all(Array.from({ length: 5 }, () => target.api.get("/billing/prices")));
    expect(stripe.requests).toHaveLength(asked);
    expect(PRICES_TTL_MS).toBe(300_000);
  });

  it("need the scope billing", async () => {
    const key = target.keys.reader;
    expect((await target.api.call("GET", "/billing/prices", { key })).status).toBe(403);
    expect((await target.api.call("POST", "/billing/portal", { key })).status).toBe(403);
    const json = { priceId: "price_a" };
    expect((await target.api.call("POST", "/billing/checkout", { key, json })).status).toBe(403);
  });
});

describe("a checkout", () => {
  it("names the organization, freezes the tokens of its packs, and returns to the service", async () => {
    const answer = await target.api.post("/billing/checkout", { json: { priceId: "price_a", quantity: 3, orgId: 7 } });
    expect(answer.json).toEqual({ sessionId: expect.any(String), checkoutUrl: expect.stringContaining("https://") });
    const metadata = { sheaf_organization: "1", sheaf_tokens: "15000", sheaf_deployment: expect.any(String) };
    expect(stripe.sessions.get(answer.json.sessionId)).toEqual({
      mode: "payment",
      client_reference_id: "1",
      metadata,
      payment_intent_data: { metadata },
      line_items: [{ price: "price_a", quantity: "3" }],
      success_url: "https://sheaf.example.com/?checkout=success&session_id={CHECKOUT_SESSION_ID}",
      cancel_url: "https://sheaf.example.com/?checkout=cancelled",
      customer_creation: "always",
    });
  });

  it("returns to the addresses that it is given", async () => {
    const urls = { successUrl: "https://shop.example.com/thanks?a=1", cancelUrl: "http://localhost:8080/" };
    const { json } = await target.api.post("/billing/checkout", { json: { priceId: "price_a", ...urls } });
    const sent = stripe.sessions.get(json.sessionId);
    expect(sent).toMatchObject({ success_url: urls.successUrl, cancel_url: urls.cancelUrl });
  });

  it.each([
    [{}, "/priceId"],
    [{ priceId: "price_other" }, "/priceId"],
    [{ priceId: "price_none" }, "/priceId"],
    [{ priceId: "price_a", quantity: 0 }, "/quantity"],
    [{ priceId: "price_a", quantity: 1_000 }, "/quantity"],
    [{ priceId: "price_a", successUrl: "javascript:alert(1)" }, "/successUrl"],
    [{ priceId: "price_a", cancelUrl: "/here" }, "/cancelUrl"],
  ])("of %j is refused, naming %s", async (json, path) => {
    const answer = await target.api.post("/billing/checkout", { json });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ path }]);
  });

  it("is made once for an Idempotency-Key", async () => {
    const before = stripe.sessions.size;
    const send = () =>
      target.api.post("/billing/checkout", { json: { priceId: "price_a" }, headers: { "Idempotency-Key": "buy-1" } });
    const [first, second] = [await send(), await send()];
    expect(second.json).toEqual(first.json);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(stripe.sessions.size).toBe(before + 1);
  });

  it.each([
    ["down", { cut: true }, "5"],
    ["at fault", { status: 500 }, "5"],
    ["busy", { status: 429, headers: { "Retry-After": "9" }, error: { type: "rate_limit_error" } }, "9"],
    ["given a wrong key", { status: 401, error: { type: "invalid_request_error" } }, "5"],
  ] as const)("is 503 while Stripe is %s, and leaves nothing", async (_what, fault, retryAfter) => {
    const [before, sessions] = [await entriesOf(), stripe.sessions.size];
    stripe.always = fault;
    const answer = await target.api.post("/billing/checkout", { json: { priceId: "price_a" } });
    expect(answer).toMatchObject({ status: 503, json: { message: expect.stringMatching(/payment provider/) } });
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect(answer.text + target.log()).not.toContain("sk_test_secret");
    expect(await entriesOf()).toEqual(before);
    expect(stripe.sessions.size).toBe(sessions);
  });

  it("tries again under the same key where an idempotent request failed at Stripe", async () => {
    const send = () =>
      target.api.post("/billing/checkout", { json: { priceId: "price_a" }, headers: { "Idempotency-Key": "buy-2" } });
    stripe.always = { status: 500 };
    expect((await send()).status).toBe(503);
    stripe.always = undefined;
    expect((await send()).status).toBe(200);
    const keys = stripe.requests.slice(-2).map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toBe(keys[1]);
  });
});

describe("a portal", () => {
  it("is 409 before the first purchase", async () => {
    expect(await target.api.post("/billing/portal")).toMatchObject({ status: 409, json: { error: "Conflict" } });
  });
});

describe("a payment", () => {
  it("credits its tokens once, however often it is told, and in each quantity", async () => {
    const before = await balanceOf();
    const event = (await bought(3)).completed();
    for (let time = 0; time < 5; time += 1) expect((await deliver(event)).json).toEqual({ received: true });
    expect(await balanceOf()).toBe(before + 15_000);
    expect((await entriesOf())[0]).toMatchObject({ kind: "grant", amount: 15_000, reason: "Tokens bought" });
  });

  it("is credited to the organization of its checkout alone", async () => {
    const [one, two] = [await balanceOf(), await balanceOf(target.other)];
    await deliver((await bought(1, target.other)).completed());
    expect([await balanceOf(), await balanceOf(target.other)]).toEqual([one, two + 5_000]);
    const entry = { keyId: "payments", method: "POST", path: "/billing/webhook" };
    expect((await target.other.get("/audit")).json.entries[0]).toMatchObject(entry);
  });

  it("keeps the tokens of its checkout when the price changes", async () => {
    const before = await balanceOf();
    const payment = await bought();
    const price = stripe.prices.find(({ id }) => id === "price_a") ?? {};
    price.metadata = { tokens_granted: "1" };
    await deliver(payment.completed());
    price.metadata = { tokens_granted: "5000" };
    expect(await balanceOf()).toBe(before + 5_000);
  });

  it("that is not through credits nothing until it is, and nothing when it fails", async () => {
    const before = await balanceOf();
    const [late, failed] = [await bought(), await bought()];
    for (const one of [late, failed]) await deliver(one.completed({ payment_status: "unpaid" }));
    expect(await balanceOf()).toBe(before);
    await deliver(late.session("async_payment_succeeded"));
    await deliver(failed.session("async_payment_failed", { payment_status: "unpaid" }));
    expect(await balanceOf()).toBe(before + 5_000);
  });

  it("that happened three days ago is credited by an event signed now", async () => {
    const before = await balanceOf();
    const created = Math.floor(Date.now() / 1000) - 3 * 24 * 3600;
    expect((await deliver({ ...(await bought()).completed(), created })).status).toBe(200);
    expect(await balanceOf()).toBe(before + 5_000);
  });

  it("of another account, deployment or organization credits nothing", async () => {
    const before = [await balanceOf(), await balanceOf(target.other)];
    const payment = await bought();
    const metadata = payment.completed().data as { object: { metadata: object } };
    const foreign = [
      { ...payment.completed(), account: "acct_other" },
      payment.completed({ metadata: {} }),
      payment.completed({ metadata: { ...metadata.object.metadata, sheaf_deployment: "elsewhere" } }),
      payment.completed({ client_reference_id: "2" }),
      payment.completed({ mode: "subscription" }),
      payment.refunded(1_000, { metadata: {} }),
      payment.dispute("created", "needs_response", { payment_intent: null }),
    ];
    for (const event of foreign) expect((await deliver(event)).json).toEqual({ received: true });
    expect([await balanceOf(), await balanceOf(target.other)]).toEqual(before);
    await deliver(payment.completed());
    expect(await balanceOf()).toBe((before[0] ?? 0) + 5_000);
  });

  it("of other types is taken and ignored", async () => {
    const before = await entriesOf();
    for (const type of ["invoice.paid", "customer.created", "a.new.type"])
      expect(await deliver(eventOf(type, { id: "x" }))).toMatchObject({ status: 200, json: { received: true } });
    expect(await entriesOf()).toEqual(before);
  });
});

describe("a delivery that is not Stripe's", () => {
  const signed = (event: object, options = {}) => signatureOf(JSON.stringify(event), options);
  /** Each makes a header and a body of a true event. */
  const forgeries: Record<string, (event: object) => [header: string | null, body: string]> = {
    "without a signature": (event) => [null, JSON.stringify(event)],
    "with an empty signature": (event) => ["", JSON.stringify(event)],
    "with any text as signature": (event) => ["signed, honestly", JSON.stringify(event)],
    "signed with another secret": (event) => [signed(event, { secret: "whsec_other" }), JSON.stringify(event)],
    "signed with the API key": (event) => [signed(event, { secret: "sk_test_secret" }), JSON.stringify(event)],
    "signed too long ago": (event) => [signed(event, { age: 301 }), JSON.stringify(event)],
    "with a new time for an old signature": (event) => [
      signed(event, { age: 3600 }).replace(/t=\d+/, `t=${Math.floor(Date.now() / 1000)}`),
      JSON.stringify(event),
    ],
    "with one byte changed": (event) => [signed(event), JSON.stringify(event).replace('"paid"', '"paie"')],
    "with more tokens": (event) => [signed(event), JSON.stringify(event).replace('"5000"', '"9999999"')],
    "with white space added": (event) => [signed(event), ` ${JSON.stringify(event)}`],
    "with an empty body": (event) => [signed(event), ""],
    "with another scheme of signature": (event) => [signed(event).replace("v1=", "v0="), JSON.stringify(event)],
  };

  it.each(Object.keys(forgeries))("%s is 400, and credits nothing", async (name) => {
    const before = await entriesOf();
    const event = (await bought()).completed();
    const [header, body] = forgeries[name]?.(event) ?? ["", ""];
    const headers = { "content-type": "application/json", ...(header === null ? {} : { "stripe-signature": header }) };
    const answer = await target.api.call("POST", "/billing/webhook", { key: null, headers, body });
    expect(answer).toMatchObject({ status: 400, json: { error: "BadRequest" } });
    expect(await entriesOf()).toEqual(before);
    expect(Object.keys(forgeries)).toHaveLength(12);
  });

  it("is not made true by an API key", async () => {
    const event = (await bought()).completed();
    const answer = await target.api.post("/billing/webhook", { json: event });
    expect(answer.status).toBe(400);
  });
});

describe("refunds and disputes", () => {
  it("take back the share of what is returned, and in the end all", async () => {
    const before = await balanceOf();
    const payment = await bought(2);
    await deliver(payment.completed());
    await deliver(payment.refunded(999));
    expect(await balanceOf()).toBe(before + 10_000 - 4_995);
    await deliver(payment.refunded(2_000));
    await deliver(payment.refunded(999));
    expect(await balanceOf()).toBe(before);
    const kinds = (await entriesOf())
      .slice(0, 3)
      .map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount]);
    expect(kinds).toEqual([
      ["refund", -5_005],
      ["refund", -4_995],
      ["grant", 10_000],
    ]);
  });

  it.each([
    ["won", 5_000],
    ["lost", 0],
    ["warning_closed", 5_000],
  ])("that end as %s leave %i of 5,000 tokens", async (status, left) => {
    const before = await balanceOf();
    const payment = await bought();
    await deliver(payment.completed());
    await deliver(
      payment.dispute("created", status === "warning_closed" ? "warning_needs_response" : "needs_response"),
    );
    expect(await balanceOf()).toBe(before + (status === "warning_closed" ? 5_000 : 0));
    await deliver(payment.dispute("closed", status));
    expect(await balanceOf()).toBe(before + left);
  });

  it("take tokens that are spent already, below 0", async () => {
    const payment = await bought(1, target.other);
    await deliver(payment.completed());
    const balance = await balanceOf(target.other);
    for (let packs = balance / 5_000; packs > 0; packs -= 1) await deliver(payment.refunded(1_000));
    expect(await balanceOf(target.other)).toBe(balance - 5_000);
  });

  /** All orders of a list. */
  const ordersOf = <T>(items: readonly T[]): T[][] =>
    items.length < 2
      ? [[...items]]
      : items.flatMap((item, at) => ordersOf(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]));
  const endings: [string, (payment: Payment) => object[], number][] = [
    [
      "a refund of a part and a lost dispute",
      (one) => [one.completed(), one.refunded(400), one.dispute("closed", "lost", { amount: 600 })],
      0,
    ],
    [
      "a refund and an open dispute",
      (one) => [one.completed(), one.refunded(1_000), one.dispute("created", "needs_response")],
      0,
    ],
    [
      "a refund of a part and a dispute that is won",
      (one) => [
        one.completed(),
        one.refunded(400),
        one.dispute("created", "needs_response"),
        one.dispute("closed", "won"),
      ],
      3_000,
    ],
  ];

  it.each(endings)("end right in every order of %s, each told 5 times", async (_what, eventsOf, left) => {
    for (const order of ordersOf([0, 1, 2, 3].slice(0, eventsOf(await bought()).length))) {
      const before = await balanceOf();
      const payment = await bought();
      const events = eventsOf(payment);
      for (const at of order) {
        const event = events[at] ?? {};
        await Promise.all(Array.from({ length: 5 }, async () => expect((await deliver(event)).status).toBe(200)));
      }
      expect(await balanceOf(), order.join()).toBe(before + left);
    }
  });

  it("end right when all of them arrive at once", async () => {
    const before = await balanceOf();
    const payment = await bought();
    const events = [
      payment.completed(),
      payment.refunded(300),
      payment.refunded(700),
      payment.dispute("closed", "won"),
    ];
    const answers = await Promise.all([...events, ...events, ...events].map((event) => deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await balanceOf()).toBe(before + 1_500);
  });
});

describe("an Idempotency-Key", () => {
  it("of another checkout is 409", async () => {
    const send = (quantity: number) => {
      const headers = { "Idempotency-Key": "buy-3" };
      return target.api.post("/billing/checkout", { json: { priceId: "price_a", quantity }, headers });
    };
    expect([(await send(1)).status, (await send(2)).status]).toEqual([200, 409]);
  });
});

describe("the portal", () => {
  it("opens for an organization that has bought tokens", async () => {
    await deliver((await bought()).completed());
    const { json } = await target.api.post("/billing/portal");
    expect(json).toEqual({ portalUrl: "https://portal.example/1" });
    expect(stripe.requests.at(-1)?.parameters).toEqual({ customer: "cus_1", return_url: "https://sheaf.example.com" });
    const { sessionId } = (await target.api.post("/billing/checkout", { json: { priceId: "price_a" } })).json;
    expect(stripe.sessions.get(sessionId)).toMatchObject({ customer: "cus_1" });
  });

  it("is 404 for a customer that Stripe has deleted, of whom a checkout makes another", async () => {
    await deliver((await bought()).completed({ customer: "cus_gone" }));
    expect((await target.api.post("/billing/portal")).status).toBe(404);
    const { sessionId } = (await target.api.post("/billing/checkout", { json: { priceId: "price_a" } })).json;
    expect(stripe.sessions.get(sessionId)).toMatchObject({ customer_creation: "always" });
  });
});

describe("every request to Stripe", () => {
  it("fits Stripe's own description", ({ skip }) => {
    if (!hasStripeDescription()) skip();
    const endpoints = new Set(stripe.requests.map(({ endpoint }) => endpoint.replace(/price_\w+/, "{price}")));
    expect([...endpoints].sort()).toEqual([
      "GET /v1/prices/{price}",
      "POST /v1/billing_portal/sessions",
      "POST /v1/checkout/sessions",
    ]);
    expect(stripe.invalid).toEqual([]);
  });
});

describe("sheaf billing", () => {
  const run = (...argv: string[]) =>
    sheaf(["billing", ...argv], { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

  it("prints prices, a checkout, the balance and its entries", async () => {
    expect(JSON.parse((await run("prices")).stdout)).toMatchObject([{ priceId: "price_a", tokensGranted: 5_000 }]);
    const urls = ["--success-url", "https://shop.example.com/a", "--cancel-url", "https://shop.example.com/b"];
    const checkout = JSON.parse((await run("checkout", "price_a", "--quantity", "2", ...urls)).stdout);
    expect(checkout).toEqual({ sessionId: expect.any(String), checkoutUrl: expect.any(String) });
    expect(stripe.sessions.get(checkout.sessionId)).toMatchObject({
      line_items: [{ quantity: "2" }],
      success_url: "https://shop.example.com/a",
    });
    expect(JSON.parse((await run("balance")).stdout)).toMatchObject({ organizationId: 1, balance: await balanceOf() });
    const usage = JSON.parse((await run("usage", "--to", "2020-01-01T00:00:00Z")).stdout);
    expect(usage).toEqual({ entries: [], days: [], nextCursor: null });
  });

  it("refuses a wrong quantity before anything is sent, and says what the service refuses", async () => {
    expect(await run("checkout", "price_a", "--quantity", "0")).toMatchObject({ exitCode: 2, stdout: "" });
    const refused = await run("checkout", "price_other");
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("GET /billing/prices") });
  });
});

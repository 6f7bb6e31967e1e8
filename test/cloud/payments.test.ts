/**
 * Payments in the deployment: the keys in their secret, and signed events through the gateway and as the gateway sends
 * them in base64. Stripe's endpoints run in these tests, on this machine like the emulator's functions.
 */
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from "@aws-sdk/client-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpEvent } from "../support/bundle-bench.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { Payment, signatureOf, stripeSettings } from "../support/stripe-events.ts";
import { type StripeServer, startStripeServer } from "../support/stripe-server.ts";
import { REMOTE_URL } from "../support/target.ts";
import { writeSettings } from "./settings.ts";

const { clientOptions = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");
const secret = { arn: outputs.PaymentsSecret, variable: "SHEAF_PAYMENTS_SECRET" };

describe.skipIf(REMOTE_URL === undefined)("payments in the deployment", () => {
  const lambda = new LambdaClient({ ...clientOptions });
  let stripe: StripeServer;
  let target: TestService;
  beforeAll(async () => {
    stripe = await startStripeServer();
    await writeSettings(clientOptions, secret, stripeSettings(stripe.url));
    target = await startTestService();
  });
  afterAll(async () => {
    await writeSettings(clientOptions, secret, {});
    lambda.destroy();
    await stripe.close();
  });

  const balanceOf = async (): Promise<number> => (await target.api.get("/billing/balance")).json.balance;

  async function bought(): Promise<Payment> {
    const { json } = await target.api.post("/billing/checkout", { json: { priceId: "price_a" } });
    return new Payment(json.sessionId, stripe.sessions.get(json.sessionId) ?? {});
  }

  /** Through the gateway. */
  const deliver = (text: string, signature = signatureOf(text), type = "application/json") => {
    const headers = { "stripe-signature": signature, "content-type": type };
    return target.api.call("POST", "/billing/webhook", { key: null, headers, body: text });
  };

  /** As the gateway invokes the function with a body in base64. */
  async function invoke(text: string): Promise<{ statusCode: number }> {
    const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 200 }));
    const { FunctionName } =
      Functions.find(({ Environment }) => Environment?.Variables?.[secret.variable] !== undefined) ?? {};
    const headers = { "stripe-signature": signatureOf(text), "content-type": "application/octet-stream" };
    const event = httpEvent("POST /billing/webhook", { headers, body: Buffer.from(text) });
    const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
    return JSON.parse(Buffer.from(Payload ?? []).toString("utf8"));
  }

  it("offers the packs of the secret, and returns buyers to the API's own address", async () => {
    expect((await target.api.get("/billing/prices")).json).toMatchObject([{ priceId: "price_a" }]);
    await bought();
    const sent = [...stripe.sessions.values()].at(-1);
    expect(sent?.success_url).toMatch(/^https:\/\/.+\/\?checkout=success/);
  });

  it("credits a signed event once, plain and in base64", async () => {
    const before = await balanceOf();
    const text = JSON.stringify((await bought()).completed({ description: "Zwölf Pakete ✓" }));
    expect((await deliver(text)).json).toEqual({ received: true });
    expect((await deliver(text, undefined, "application/octet-stream")).status).toBe(200);
    expect(await invoke(text)).toMatchObject({ statusCode: 200 });
    expect(await balanceOf()).toBe(before + 5_000);
    const first = JSON.stringify((await bought()).completed());
    expect(await invoke(first)).toMatchObject({ statusCode: 200 });
    expect(await balanceOf()).toBe(before + 10_000);
  });

  it("refuses an event that was changed, and credits nothing", async () => {
    const before = await balanceOf();
    const text = JSON.stringify((await bought()).completed());
    expect((await deliver(text.replace('"5000"', '"9000"'), signatureOf(text))).status).toBe(400);
    expect(await balanceOf()).toBe(before);
  });

  it("takes refunds and disputes back, in any order", async () => {
    const before = await balanceOf();
    const payment = await bought();
    for (const event of [payment.dispute("created", "needs_response"), payment.refunded(400), payment.completed()])
      expect((await deliver(JSON.stringify(event))).status).toBe(200);
    expect(await balanceOf()).toBe(before);
    await deliver(JSON.stringify(payment.dispute("closed", "won")));
    expect(await balanceOf()).toBe(before + 3_000);
  });
});

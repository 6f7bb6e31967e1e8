/** Buying tokens: the packs on offer, the pages to pay on, and the payment provider's events. */
import { offeredPrices, openCheckout, openPortal } from "../service/payments/checkout.ts";
import { ok } from "./http/reply.ts";
import { publicRoute, route } from "./http/route.ts";
import { CheckoutReply, CheckoutWish, EventReceipt, PortalReply, PriceList, StripeEvent } from "./schemas/payments.ts";

const TAG = "Billing";

export const prices = route({
  method: "GET",
  path: "/billing/prices",
  scope: "billing",
  tag: TAG,
  summary: "The token packs on offer",
  description:
    "Empty where payments are not configured. A pack is a price at Stripe whose metadata `tokens_granted` is a whole " +
    "number of tokens. The list may be five minutes old.",
  replies: {
    200: {
      description: "The packs",
      schema: PriceList,
      example: [
        {
          priceId: "price_1",
          productId: "product_1",
          currency: "eur",
          unitAmount: 4_900,
          tokensGranted: 1_000_000,
          nickname: "A million tokens",
        },
      ],
    },
  },
  async run(_input, { org }) {
    return ok(await offeredPrices(org));
  },
});

export const checkout = route({
  method: "POST",
  path: "/billing/checkout",
  scope: "billing",
  tag: TAG,
  summary: "Open a page to buy tokens on",
  description:
    "Stripe's page sells `quantity` packs (1 when absent) of a price of GET /billing/prices. The tokens are fixed here: " +
    "a later change of the price leaves them alone. They are credited when Stripe tells of the payment.",
  idempotent: true,
  body: { kind: "json", schema: CheckoutWish, required: true, examples: { one: { priceId: "price_1" } } },
  errors: [400, 409],
  replies: {
    200: {
      description: "The page",
      schema: CheckoutReply,
      example: { sessionId: "cs_1", checkoutUrl: "https://checkout.stripe.com/c/pay/cs_1" },
    },
  },
  async run({ body, newGuid }, { org }) {
    const { priceId, quantity = 1, successUrl, cancelUrl } = body;
    return ok(await openCheckout(org, { priceId, quantity, successUrl, cancelUrl }, newGuid));
  },
});

export const portal = route({
  method: "POST",
  path: "/billing/portal",
  scope: "billing",
  tag: TAG,
  summary: "Open a page with the organization's payments",
  description: "Stripe's customer portal: receipts and payment methods. The organization has bought tokens before.",
  errors: [404, 409],
  replies: {
    200: {
      description: "The page",
      schema: PortalReply,
      example: { portalUrl: "https://billing.stripe.com/p/session/1" },
    },
  },
  async run(_input, { org }) {
    return ok({ portalUrl: await openPortal(org) });
  },
});

export const stripeWebhook = publicRoute({
  method: "POST",
  path: "/billing/webhook",
  tag: TAG,
  summary: "Take an event of Stripe's",
  description:
    "Stripe calls it. A payment credits its tokens once, however often and in whatever order its events come; refunds and " +
    "disputes take them back in part or whole, and a dispute that is won returns them. Other events are ignored.",
  signature: "Stripe-Signature",
  body: {
    kind: "json-bytes",
    schema: StripeEvent,
    examples: { payment: { id: "evt_1", type: "checkout.session.completed", data: { object: { id: "cs_1" } } } },
  },
  errors: [400],
  replies: { 200: { description: "The event is taken", schema: EventReceipt, example: { received: true } } },
  async run({ body, signature }, facts) {
    await facts.takePaymentEvent(body, signature);
    return ok({ received: true });
  },
});

export const paymentRoutes = [prices, checkout, portal, stripeWebhook];

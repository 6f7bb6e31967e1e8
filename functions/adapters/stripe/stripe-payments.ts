/** Payments by Stripe: Checkout in payment mode, the customer portal, and the webhook's events. */
import type Stripe from "stripe";
import type { Clock } from "../../ports/clock.ts";
import { NotFound, ServiceUnavailable } from "../../ports/errors.ts";
import type { Checkout, NewCheckout, Payments } from "../../ports/payments.ts";
import { type ClientOptions, makeStripe } from "./stripe-client.ts";
import { METADATA, readEvent, verifiedEvent } from "./stripe-events.ts";
import { callStripe, isMissing, toAppError } from "./stripe-failures.ts";
import { cachedPrices, type Offer, type OnSkipped } from "./stripe-prices.ts";

export interface StripeSettings extends Pick<ClientOptions, "secretKey" | "apiBase"> {
  webhookSecret: string;
  offer: Offer;
}

export interface StripeOptions extends StripeSettings, Pick<ClientOptions, "timeoutMs"> {
  clock: Pick<Clock, "now">;
  /** Names the deployment: several may share an account, and each gets the events of all. */
  deployment: () => Promise<string>;
  onSkipped: OnSkipped;
}

function sessionParameters(
  { organizationId, price, quantity, successUrl, cancelUrl }: NewCheckout,
  deployment: string,
): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    [METADATA.organization]: String(organizationId),
    [METADATA.tokens]: String(price.tokensGranted * quantity),
    [METADATA.deployment]: deployment,
  };
  return {
    mode: "payment",
    line_items: [{ price: price.priceId, quantity }],
    client_reference_id: String(organizationId),
    metadata,
    // Its charges have it too, so that a refund that is told before the payment is known.
    payment_intent_data: { metadata },
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}

/** @throws TypeError for an unusable address */
export function openStripe(options: StripeOptions): Payments {
  const { webhookSecret, offer, clock, deployment, onSkipped } = options;
  const stripe = makeStripe(options);
  const now = (): number => clock.now();
  const create = async (
    parameters: Stripe.Checkout.SessionCreateParams,
    { customer, idempotencyKey }: NewCheckout,
  ): Promise<Stripe.Checkout.Session> => {
    const anew = () =>
      stripe.checkout.sessions.create(
        { ...parameters, customer_creation: "always" },
        { idempotencyKey: `${idempotencyKey}-new` },
      );
    if (customer === undefined) return anew();
    try {
      return await stripe.checkout.sessions.create({ ...parameters, customer }, { idempotencyKey });
    } catch (error) {
      // The customer was deleted at Stripe.
      if (isMissing(error) && (error as Stripe.errors.StripeError).param === "customer") return anew();
      throw error;
    }
  };
  return {
    prices: cachedPrices(stripe, { offer, onSkipped, now }),
    async checkout(checkout): Promise<Checkout> {
      const parameters = sessionParameters(checkout, await deployment());
      const { id, url } = await callStripe(() => create(parameters, checkout));
      if (url === null) throw new ServiceUnavailable("The payment provider made no page to pay on; try again");
      return { sessionId: id, checkoutUrl: url };
    },
    async portal(customer, returnUrl) {
      try {
        return (await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })).url;
      } catch (error) {
        if (isMissing(error)) throw new NotFound("The payment provider has no record of purchases any more");
        throw toAppError(error);
      }
    },
    async event(body, signature) {
      const event = verifiedEvent(stripe, body, signature, { secret: webhookSecret, now: now() });
      return readEvent(event, await deployment());
    },
  };
}

/** Events as Stripe sends them, signed by its own library. */
import Stripe from "stripe";

export const WEBHOOK_SECRET = "whsec_test_secret";
/** The settings of a service that sells packs of a Stripe server. */
export const stripeSettings = (url: string) => ({
  STRIPE_SECRET_KEY: "sk_test_secret",
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_API_BASE: url,
  STRIPE_PRICE_IDS: "price_a",
});

type Members = Record<string, unknown>;
/** The parameters of a checkout session, as the service sent them. */
export type SessionParameters = Members;

/** @returns the header of a payload @param age seconds since it was signed */
export const signatureOf = (payload: string, { secret = WEBHOOK_SECRET, age = 0 } = {}): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(Date.now() / 1000) - age });

let made = 0;
export const eventOf = (type: string, object: Members, more: Members = {}): Members => {
  made += 1;
  const created = Math.floor(Date.now() / 1000);
  return {
    id: `evt_${made}`,
    object: "event",
    api_version: "2025-01-01",
    created,
    livemode: false,
    type,
    data: { object },
    ...more,
  };
};

/** A payment by a checkout session, and the events of it. */
export class Payment {
  readonly #session: string;
  readonly #parameters: SessionParameters;
  readonly #amount: number;
  readonly intent: string;

  constructor(session: string, parameters: SessionParameters, amount = 1_000) {
    this.#session = session;
    this.#parameters = parameters;
    this.#amount = amount;
    this.intent = `pi_${session}`;
  }

  session(type: string, more: Members = {}): Members {
    const { client_reference_id, metadata } = this.#parameters;
    return eventOf(`checkout.session.${type}`, {
      id: this.#session,
      object: "checkout.session",
      mode: "payment",
      payment_status: "paid",
      payment_intent: this.intent,
      customer: "cus_1",
      amount_total: this.#amount,
      currency: "eur",
      client_reference_id,
      metadata,
      ...more,
    });
  }

  completed = (more: Members = {}): Members => this.session("completed", more);

  refunded(amount: number, more: Members = {}): Members {
    const { metadata } = this.#parameters.payment_intent_data as Members;
    return eventOf("charge.refunded", {
      id: `ch_${this.#session}`,
      object: "charge",
      payment_intent: this.intent,
      amount: this.#amount,
      amount_refunded: amount,
      currency: "eur",
      metadata,
      ...more,
    });
  }

  dispute(type: "created" | "closed", status: string, more: Members = {}): Members {
    return eventOf(`charge.dispute.${type}`, {
      id: `dp_${this.#session}`,
      object: "dispute",
      payment_intent: this.intent,
      charge: `ch_${this.#session}`,
      amount: this.#amount,
      currency: "eur",
      metadata: {},
      status,
      ...more,
    });
  }
}

/** Events of Stripe's webhook: verified, and read as events of payments. */
import type Stripe from "stripe";
import { BadRequest } from "../../ports/errors.ts";
import type { DisputeState, PaymentEvent } from "../../ports/payments.ts";
import { MAX_PACK_TOKENS, wholeNumber } from "./stripe-prices.ts";

/** Members of a session's and a charge's metadata. */
export const METADATA = {
  organization: "sheaf_organization",
  tokens: "sheaf_tokens",
  deployment: "sheaf_deployment",
} as const;

/**
 * Most seconds between signing and arrival: Stripe's own default. Stripe signs each delivery anew, so that an event that
 * is delivered days late has a signature of now.
 */
export const TOLERANCE_SECONDS = 300;

const idOf = (one: string | { id: string } | null | undefined): string | undefined =>
  typeof one === "string" ? one : one?.id;

const ignored = (type: string, reason?: string): PaymentEvent => ({
  kind: "ignored",
  type,
  ...(reason === undefined ? {} : { reason }),
});

/** A checkout of which the money has come. */
function paidOf(type: string, session: Stripe.Checkout.Session, deployment: string): PaymentEvent {
  const { id, metadata, client_reference_id: reference, amount_total: amount, currency } = session;
  if (metadata?.[METADATA.deployment] !== deployment) return ignored(type, "its checkout was not made here");
  if (session.mode !== "payment" || session.payment_status !== "paid") return ignored(type);
  const organizationId = wholeNumber(metadata[METADATA.organization], Number.MAX_SAFE_INTEGER);
  const tokens = wholeNumber(metadata[METADATA.tokens], MAX_PACK_TOKENS);
  if (organizationId === undefined || tokens === undefined || reference !== String(organizationId)) {
    return ignored(type, "its checkout names no organization and tokens");
  }
  const customer = idOf(session.customer);
  return {
    kind: "paid",
    payment: idOf(session.payment_intent) ?? id,
    session: id,
    organizationId,
    tokens,
    amount: amount ?? 0,
    currency: currency ?? "",
    ...(customer === undefined ? {} : { customer }),
  };
}

function refundedOf(type: string, charge: Stripe.Charge, deployment: string): PaymentEvent {
  const payment = idOf(charge.payment_intent);
  // A charge has the metadata that its checkout was made with.
  if (payment === undefined || charge.metadata?.[METADATA.deployment] !== deployment) {
    return ignored(type, "its charge is not of a checkout of this service");
  }
  return { kind: "refunded", payment, refunded: charge.amount_refunded, amount: charge.amount };
}

/** Inquiries withhold no money, and end as `warning_closed` without having taken any. */
function stateOf(status: string): DisputeState {
  if (status === "lost") return "lost";
  return status === "needs_response" || status === "under_review" ? "open" : "returned";
}

function disputedOf(type: string, dispute: Stripe.Dispute): PaymentEvent {
  const payment = idOf(dispute.payment_intent);
  if (payment === undefined) return ignored(type, "its dispute is not of a checkout of this service");
  const { id, amount, currency, status } = dispute;
  const state = stateOf(status);
  // An inquiry that becomes a dispute keeps its id: nothing final is known of it.
  if (type === "charge.dispute.created" && state === "returned") return ignored(type);
  return { kind: "disputed", payment, dispute: id, amount, currency, state };
}

/** @param deployment names the deployment whose checkouts count */
export function readEvent(event: Stripe.Event, deployment: string): PaymentEvent {
  const { type } = event;
  if (event.account !== undefined && event.account !== null) return ignored(type, "it is of another account");
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return paidOf(type, event.data.object, deployment);
    case "checkout.session.async_payment_failed":
      return ignored(type, "the payment failed, and no tokens were granted for it");
    case "charge.refunded":
      return refundedOf(type, event.data.object, deployment);
    case "charge.dispute.created":
    case "charge.dispute.closed":
      return disputedOf(type, event.data.object);
    default:
      return ignored(type);
  }
}

/** @throws BadRequest for a signature that is not Stripe's, or too old */
export function verifiedEvent(
  stripe: Stripe,
  body: Uint8Array,
  signature: string | undefined,
  { secret, now }: { secret: string; now: number },
): Stripe.Event {
  if (signature === undefined) throw new BadRequest("The header Stripe-Signature is missing");
  try {
    return stripe.webhooks.constructEvent(Buffer.from(body), signature, secret, TOLERANCE_SECONDS, undefined, now);
  } catch (cause) {
    // The library's own error quotes the whole body.
    throw new BadRequest(
      "The event is not signed by Stripe with this endpoint's secret, or was changed, or is too old",
      {
        cause: cause instanceof Error ? cause.name : undefined,
      },
    );
  }
}

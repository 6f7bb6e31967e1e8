/** Buying token packs: pages of the payment provider, for an organization. */
import { BadRequest, Conflict } from "../../ports/errors.ts";
import type { Checkout, Payments, Price } from "../../ports/payments.ts";
import { MAX_ENTRY_TOKENS } from "../billing/entry.ts";
import type { Organization } from "../organizations/organization.ts";
import { customerOf } from "./customer.ts";
import { notConfigured } from "./not-configured.ts";

export interface CheckoutWish {
  priceId: string;
  quantity: number;
  successUrl?: string | undefined;
  cancelUrl?: string | undefined;
}

/** @throws ServiceUnavailable when payments are not configured */
async function paymentsOf(org: Organization): Promise<Payments> {
  const payments = await org.payments();
  if (payments === null) throw notConfigured();
  return payments;
}

/** The packs on offer; none where payments are not configured. @throws ServiceUnavailable */
export async function offeredPrices(org: Organization): Promise<readonly Price[]> {
  return (await (await org.payments())?.prices()) ?? [];
}

const invalid = (path: string, message: string): BadRequest =>
  new BadRequest(`Invalid body: ${path} ${message}`, { errors: [{ path, message }] });

/** An address of the service's own with the outcome, for buyers who come back. */
const returnUrlOf = (org: Organization, outcome: string): string =>
  `${org.config.publicUrl().replace(/\/+$/, "")}/?checkout=${outcome}`;

/**
 * Makes a page on which packs are paid.
 * @param idempotencyKey the same key makes one page
 * @throws BadRequest for a price outside the offer; ServiceUnavailable
 */
export async function openCheckout(org: Organization, wish: CheckoutWish, idempotencyKey: string): Promise<Checkout> {
  const payments = await paymentsOf(org);
  const { priceId, quantity, successUrl, cancelUrl } = wish;
  const price = (await payments.prices()).find((one) => one.priceId === priceId);
  if (price === undefined) throw invalid("/priceId", "must be a priceId of GET /billing/prices");
  const most = Math.floor(MAX_ENTRY_TOKENS / price.tokensGranted);
  if (quantity > most) throw invalid("/quantity", `must be at most ${most} packs of ${price.tokensGranted} tokens`);
  const customer = await customerOf(org);
  return payments.checkout({
    organizationId: org.id,
    price,
    quantity,
    successUrl: successUrl ?? `${returnUrlOf(org, "success")}&session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: cancelUrl ?? returnUrlOf(org, "cancelled"),
    ...(customer === undefined ? {} : { customer }),
    idempotencyKey,
  });
}

/** @returns the address of a page with the organization's payments @throws Conflict before the first purchase */
export async function openPortal(org: Organization): Promise<string> {
  const payments = await paymentsOf(org);
  const customer = await customerOf(org);
  if (customer === undefined) {
    throw new Conflict("Your organization has bought no tokens here yet; buy some by POST /billing/checkout first");
  }
  return payments.portal(customer, org.config.publicUrl());
}

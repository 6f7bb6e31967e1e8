/** The payment provider: prices of token packs, pages to pay on, and events of payments. */

/** A token pack as it is offered. */
export interface Price {
  priceId: string;
  productId: string;
  /** ISO 4217, lower case. */
  currency: string;
  /** In the currency's smallest unit. */
  unitAmount: number;
  /** Tokens of one pack. */
  tokensGranted: number;
  nickname: string | null;
}

export interface NewCheckout {
  organizationId: number;
  price: Price;
  /** Packs to buy. */
  quantity: number;
  /** Where the buyer goes after paying, and after giving up. */
  successUrl: string;
  cancelUrl: string;
  /** The provider's customer of earlier purchases; absent: it makes one. */
  customer?: string;
  /** The same key makes one checkout. */
  idempotencyKey: string;
}

export interface Checkout {
  sessionId: string;
  checkoutUrl: string;
}

/** `open`: the money is withheld; `lost`: it is gone; `returned`: it stays with the seller. */
export type DisputeState = "open" | "lost" | "returned";

/** An event that was verified. `payment` names what is paid; events of one payment share it. */
export type PaymentEvent =
  | {
      kind: "paid";
      payment: string;
      session: string;
      organizationId: number;
      /** Frozen when the checkout was made. */
      tokens: number;
      /** In the currency's smallest unit. */
      amount: number;
      currency: string;
      customer?: string;
    }
  /** `refunded` of `amount` have been returned, in all refunds of the payment. */
  | { kind: "refunded"; payment: string; refunded: number; amount: number }
  | {
      kind: "disputed";
      payment: string;
      dispute: string;
      amount: number;
      currency: string;
      state: DisputeState;
    }
  /** Nothing to do. `reason` is a sentence where an operator may want to know. */
  | { kind: "ignored"; type: string; reason?: string };

/** Each call is answered within 15 s. @throws ServiceUnavailable when the provider is down, slow or busy */
export interface Payments {
  /** The packs on offer; cached for some minutes. */
  prices(): Promise<readonly Price[]>;
  /** @throws BadRequest for a price that cannot be bought; Conflict for a used key */
  checkout(checkout: NewCheckout): Promise<Checkout>;
  /** The address of a page where a customer sees its payments. @throws NotFound for a customer that is gone */
  portal(customer: string, returnUrl: string): Promise<string>;
  /**
   * Verifies and reads an event.
   * @param body as it was sent, byte for byte
   * @throws BadRequest for a wrong, missing or outdated signature
   */
  event(body: Uint8Array, signature: string | undefined): Promise<PaymentEvent>;
}

/** The provider, looked up at each use; null: payments are not configured. */
export type FindPayments = () => Promise<Payments | null>;

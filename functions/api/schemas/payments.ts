/** Requests and replies of the routes on which tokens are bought. */
import * as z from "zod";
import { integer } from "./common.ts";

export const PriceList = z
  .array(
    z.looseObject({
      priceId: z.string(),
      productId: z.string(),
      currency: z.string().describe("ISO 4217, lower case"),
      unitAmount: z.int().describe("In the currency's smallest unit"),
      tokensGranted: z.int().describe("Tokens of one pack"),
      nickname: z.string().nullable(),
    }),
  )
  .meta({ id: "TokenPacks" });

/** Most packs of one checkout: the most that Stripe's own page lets a buyer choose. */
const MAX_QUANTITY = 999;
/** Stripe's limit of an address. */
const MAX_URL_CHARACTERS = 5_000;
const ADDRESS_PATTERN = /^https?:\/\/[^\s/?#]+\S*$/;
const ADDRESS_MESSAGE = `must be an http or https address of at most ${MAX_URL_CHARACTERS} characters`;

const address = (what: string) =>
  z
    .string({ error: ADDRESS_MESSAGE })
    .regex(ADDRESS_PATTERN, ADDRESS_MESSAGE)
    .max(MAX_URL_CHARACTERS, ADDRESS_MESSAGE)
    .describe(what);

export const CheckoutWish = z.looseObject({
  priceId: z
    .string({ error: "must be a priceId of GET /billing/prices" })
    .min(1, "must be a priceId of GET /billing/prices")
    .max(255, "must be a priceId of GET /billing/prices"),
  quantity: integer(`must be a whole number of packs from 1 to ${MAX_QUANTITY}`, 1, MAX_QUANTITY).optional(),
  successUrl: address("Where the buyer goes after paying; default: this service's own address").optional(),
  cancelUrl: address("Where the buyer goes after giving up; default: this service's own address").optional(),
});

export const CheckoutReply = z
  .looseObject({ sessionId: z.string(), checkoutUrl: z.string().describe("The page to pay on") })
  .meta({ id: "Checkout" });

export const PortalReply = z
  .looseObject({ portalUrl: z.string().describe("The page with the organization's payments") })
  .meta({ id: "Portal" });

/** An event as Stripe sends it. The route verifies and reads the bytes. */
export const StripeEvent = z.looseObject({
  id: z.string(),
  type: z.string(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

export const EventReceipt = z.looseObject({ received: z.literal(true) });

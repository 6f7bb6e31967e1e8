/** The offer: prices of Stripe's that are token packs. */
import type Stripe from "stripe";
import type { Price } from "../../ports/payments.ts";
import { callStripe, isMissing } from "./stripe-failures.ts";

/** Packs on offer: these prices, or all active ones of a product. */
export type Offer = { prices: readonly string[] } | { product: string };

/** Says why a price is not offered. */
export type OnSkipped = (price: string, reason: string) => void;

/** Milliseconds for which prices are kept. */
export const PRICES_TTL_MS = 300_000;
/** Most prices of a product that are offered: a page of Stripe's list. */
const MAX_PRICES = 100;
/** Largest number of tokens of a pack: the most of one entry of the ledger. */
export const MAX_PACK_TOKENS = 1_000_000_000;

/** A positive whole number as metadata has it; undefined for any other text. */
export function wholeNumber(text: string | undefined, most: number): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text ?? "") ? Number(text) : 0;
  return number >= 1 && number <= most ? number : undefined;
}

/** @returns the pack, or why the price is none */
function packOf(price: Stripe.Price): Price | string {
  const { id, active, type, unit_amount: unitAmount, metadata, product, currency, nickname } = price;
  const tokensGranted = wholeNumber(metadata.tokens_granted, MAX_PACK_TOKENS);
  if (!active) return "it is not active";
  if (type !== "one_time") return "it is not paid once";
  if (unitAmount === null || unitAmount < 1) return "it has no amount in whole units";
  if (tokensGranted === undefined)
    return `its metadata tokens_granted is not a whole number from 1 to ${MAX_PACK_TOKENS}`;
  return {
    priceId: id,
    productId: typeof product === "string" ? product : product.id,
    currency,
    unitAmount,
    tokensGranted,
    nickname,
  };
}

const retrieved = async (stripe: Stripe, id: string): Promise<Stripe.Price | string> => {
  try {
    return await stripe.prices.retrieve(id);
  } catch (error) {
    if (isMissing(error)) return id;
    throw error;
  }
};

async function load(stripe: Stripe, offer: Offer, onSkipped: OnSkipped): Promise<Price[]> {
  const found =
    "product" in offer
      ? (await stripe.prices.list({ product: offer.product, active: true, limit: MAX_PRICES })).data
      : await Promise.all(offer.prices.map((id) => retrieved(stripe, id)));
  return found.flatMap((price) => {
    if (typeof price === "string") {
      onSkipped(price, "there is no such price");
      return [];
    }
    const pack = packOf(price);
    if (typeof pack !== "string") return [pack];
    onSkipped(price.id, pack);
    return [];
  });
}

/** Reads the offer; callers at the same time share one reading. */
export function cachedPrices(
  stripe: Stripe,
  { offer, onSkipped, now }: { offer: Offer; onSkipped: OnSkipped; now: () => number },
): () => Promise<readonly Price[]> {
  let kept: { prices: readonly Price[]; until: number } | undefined;
  let loading: Promise<readonly Price[]> | undefined;
  const reload = async (): Promise<readonly Price[]> => {
    const prices = await callStripe(() => load(stripe, offer, onSkipped));
    kept = { prices, until: now() + PRICES_TTL_MS };
    return prices;
  };
  return async () => {
    if (kept !== undefined && now() < kept.until) return kept.prices;
    loading ??= reload().finally(() => {
      loading = undefined;
    });
    return loading;
  };
}

/** Payments set by the environment, on one machine and in the cloud. */

import type { StripeSettings } from "../functions/adapters/stripe/stripe-payments.ts";
import type { Offer } from "../functions/adapters/stripe/stripe-prices.ts";
import { ConfigError } from "./api-keys.ts";

type Variables = Record<string, string | undefined>;

/** Most prices on offer: each is asked for by a request of its own. */
const MAX_PRICES = 20;

const textOf = (env: Variables, name: string): string | undefined => env[name]?.trim() || undefined;

/** @throws ConfigError */
function parseOffer(env: Variables): Offer {
  const prices = [...new Set((textOf(env, "STRIPE_PRICE_IDS") ?? "").split(/[\s,]+/).filter((id) => id !== ""))];
  const product = textOf(env, "STRIPE_PRODUCT_ID");
  if (prices.length > 0 === (product !== undefined)) {
    throw new ConfigError("Set either STRIPE_PRICE_IDS, the prices on offer, or STRIPE_PRODUCT_ID, their product");
  }
  const wrong = [...prices, ...(product === undefined ? [] : [product])].find((id) => !/^\w{1,255}$/.test(id));
  if (wrong !== undefined) throw new ConfigError(`'${wrong}' is no id of Stripe's; write ids like price_1 or prod_1`);
  if (prices.length > MAX_PRICES) throw new ConfigError(`STRIPE_PRICE_IDS names at most ${MAX_PRICES} prices`);
  return product === undefined ? { prices } : { product };
}

/** @throws ConfigError, without the key, for one that no header can carry */
function parseKey(env: Variables, name: string): string | undefined {
  const key = textOf(env, name);
  if (key === undefined || /^[\x21-\x7e]{8,500}$/.test(key)) return key;
  throw new ConfigError(`${name} must be 8 to 500 printable ASCII characters without spaces`);
}

/** @throws ConfigError */
function parseApiBase(env: Variables): { apiBase?: string } {
  const apiBase = textOf(env, "STRIPE_API_BASE");
  if (apiBase === undefined) return {};
  if (/^https?:\/\/[^/?#@\s]+\/?$/.test(apiBase) && URL.canParse(apiBase)) return { apiBase };
  throw new ConfigError("STRIPE_API_BASE must be an address without a path, such as http://127.0.0.1:12111");
}

/**
 * Reads the settings of payments: `STRIPE_SECRET_KEY` turns them on.
 * @returns null where payments are not configured @throws ConfigError for settings that would sell without crediting
 */
export function parsePayments(env: Variables): StripeSettings | null {
  const secretKey = parseKey(env, "STRIPE_SECRET_KEY");
  if (secretKey === undefined) return null;
  const webhookSecret = parseKey(env, "STRIPE_WEBHOOK_SECRET");
  if (webhookSecret === undefined) {
    throw new ConfigError("STRIPE_WEBHOOK_SECRET is not set; without it, no payment could be credited");
  }
  return { secretKey, webhookSecret, offer: parseOffer(env), ...parseApiBase(env) };
}

/** Most characters of the service's own address. */
const MAX_PUBLIC_URL_CHARACTERS = 200;

/** `SHEAF_PUBLIC_URL`: the service's address, as its callers know it. @throws ConfigError */
export function parsePublicUrl(env: Variables): string | null {
  const url = textOf(env, "SHEAF_PUBLIC_URL");
  if (url === undefined) return null;
  if (/^https?:\/\/[^?#\s]+$/.test(url) && URL.canParse(url) && url.length <= MAX_PUBLIC_URL_CHARACTERS) {
    return url.replace(/\/$/, "");
  }
  throw new ConfigError(
    `SHEAF_PUBLIC_URL must be an address of at most ${MAX_PUBLIC_URL_CHARACTERS} characters, such as https://sheaf.example.com`,
  );
}

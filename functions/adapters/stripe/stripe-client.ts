/** The `stripe` client, configured for the driver: bounded in time, quiet, at an address of choice. */
import Stripe from "stripe";

export interface ClientOptions {
  secretKey: string;
  /** Default: Stripe's own. */
  apiBase?: string;
  /** Most milliseconds of one attempt. */
  timeoutMs?: number;
}

/** Milliseconds of an attempt: two calls of two attempts each fit the 30 s of an API request. */
const ATTEMPT_TIMEOUT_MS = 6_000;
/** Attempts after the first one. The client repeats them under one idempotency key. */
const RETRIES = 1;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** @throws TypeError for an unusable address; its message never contains the key */
export function makeStripe({ secretKey, apiBase, timeoutMs = ATTEMPT_TIMEOUT_MS }: ClientOptions): Stripe {
  const options = { timeout: timeoutMs, maxNetworkRetries: RETRIES, telemetry: false };
  if (apiBase === undefined) return new Stripe(secretKey, options);
  const url = URL.parse(apiBase);
  const port = url === null ? undefined : DEFAULT_PORTS[url.protocol];
  if (url === null || port === undefined || url.pathname !== "/" || url.search !== "" || url.username !== "") {
    throw new TypeError("STRIPE_API_BASE must be an address without a path, such as http://127.0.0.1:12111");
  }
  return new Stripe(secretKey, {
    ...options,
    host: url.hostname,
    port: url.port === "" ? port : Number(url.port),
    protocol: url.protocol === "http:" ? "http" : "https",
  });
}

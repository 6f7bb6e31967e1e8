/** The payments of one machine, from its environment. */
import type { LocalObserver } from "../../functions/adapters/local/observer.ts";
import { openStripe, type StripeSettings } from "../../functions/adapters/stripe/stripe-payments.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { FindPayments, Payments } from "../../functions/ports/payments.ts";
import type { EngineState } from "../../functions/service/organizations/engines.ts";
import { deploymentName } from "../deployment-name.ts";
import { NO_PAYMENTS } from "../engines.ts";

/** @param key the server key */
export function openPayments(
  settings: StripeSettings | null,
  { clock, observer, key }: { clock: Clock; observer: LocalObserver; key: Uint8Array },
): { payments: Payments | null; state: EngineState } {
  if (settings === null) return { payments: null, state: NO_PAYMENTS };
  const payments = openStripe({
    ...settings,
    clock: { now: () => clock.wallTime() },
    deployment: deploymentName(async () => key),
    onSkipped: (price, reason) => observer.log("warn", "price not offered", { price, reason }),
  });
  const where = settings.apiBase === undefined ? "" : ` at ${new URL(settings.apiBase).host}`;
  return { payments, state: { name: "payments", on: true, detail: `Stripe${where}` } };
}

/** Payments of requests: a request that waits for the provider gives its turn away. */
export const waitingPayments =
  (find: FindPayments, whileWaiting: <T>(work: () => Promise<T>) => Promise<T>): FindPayments =>
  async () => {
    const payments = await find();
    if (payments === null) return null;
    return {
      prices: () => whileWaiting(() => payments.prices()),
      checkout: (checkout) => whileWaiting(() => payments.checkout(checkout)),
      portal: (customer, returnUrl) => whileWaiting(() => payments.portal(customer, returnUrl)),
      event: (body, signature) => payments.event(body, signature),
    };
  };

/** The payments of a deployment. Their settings are in a secret, in the form of one machine's environment. */
import { secretsClient } from "../../functions/adapters/aws/clients.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { openStripe } from "../../functions/adapters/stripe/stripe-payments.ts";
import type { FindPayments, Payments } from "../../functions/ports/payments.ts";
import { deploymentName } from "../deployment-name.ts";
import { parsePayments } from "../payments.ts";
import { required } from "./environment.ts";
import type { Stores } from "./platform.ts";
import { settingsOfSecret } from "./secret-settings.ts";

/** Keeps the driver, and the prices that it knows, until its settings change. */
export function payments({ env, clock, observer }: Stores): FindPayments {
  const secrets = openSecrets({ client: secretsClient(), clock });
  const serverKey = async () => Buffer.from(await secrets.text(required(env, "SHEAF_SERVER_KEY_SECRET")), "utf8");
  let known: { text: string; payments: Payments | null } | undefined;
  return async () => {
    const text = await secrets.text(required(env, "SHEAF_PAYMENTS_SECRET"));
    if (known?.text === text) return known.payments;
    const settings = parsePayments(settingsOfSecret(text, "payments", '{"STRIPE_SECRET_KEY":"sk_…"}'));
    const made =
      settings === null
        ? null
        : openStripe({
            ...settings,
            clock,
            deployment: deploymentName(serverKey),
            onSkipped: (price, reason) => observer.log("warn", "price not offered", { price, reason }),
          });
    known = { text, payments: made };
    return made;
  };
}

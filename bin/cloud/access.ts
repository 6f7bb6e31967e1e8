/** Authentication, and organizations with the ports of a handler. */
import type { ServiceFacts } from "../../functions/api/http/route.ts";
import type { ApiServices } from "../../functions/api/http/services.ts";
import { bindOrganization } from "../../functions/service/organizations/organization.ts";
import { fingerprintUnder } from "../../functions/service/organizations/vault.ts";
import { takePaymentEvent } from "../../functions/service/payments/take-payment-event.ts";
import type { Base } from "./base.ts";
import { lazily } from "./environment.ts";
import { openKeys } from "./keys.ts";
import { openPlatform, openStores, type Parts } from "./platform.ts";

export const organizations =
  (parts: Parts) =>
  ({
    env,
    clock,
    observer,
  }: Base): Pick<ApiServices, "authenticate" | "organization" | "fingerprint" | "recorded"> & {
    takePaymentEvent: ServiceFacts["takePaymentEvent"];
  } => {
    const stores = lazily(() => openStores(env));
    const keys = lazily(() => openKeys(stores()));
    const platform = lazily(() => openPlatform(stores(), parts));
    return {
      authenticate: (authorization, source) => keys().authenticate(authorization, source),
      organization: (id) => bindOrganization(platform(), id),
      // A function is frozen once it has answered.
      recorded: () => keys().noted(),
      takePaymentEvent: (body, signature) =>
        takePaymentEvent(
          {
            findPayments: platform().payments,
            records: platform().records,
            organization: (id) => bindOrganization(platform(), id),
            clock,
            log: (level, message, facts) => observer.log(level, message, facts),
          },
          body,
          signature,
        ),
      fingerprint: (text) => fingerprintUnder(() => keys().serverKey())(text),
    };
  };

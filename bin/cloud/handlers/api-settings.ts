import { paymentRoutes } from "../../../functions/api/payments.ts";
import { providerRoutes } from "../../../functions/api/providers.ts";
import { settingsRoutes } from "../../../functions/api/settings.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { outbound } from "../outbound.ts";
import { documentVault, vault, workQueue } from "../parts.ts";
import { payments } from "../payments.ts";
import { probes } from "../probes.ts";

export const handler = apiHandler([...settingsRoutes, ...paymentRoutes, ...providerRoutes], {
  access: organizations({ queue: workQueue, vault, documentVault, outbound, payments, probes }),
});

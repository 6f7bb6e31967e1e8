import { auditRoutes } from "../../../functions/api/audit.ts";
import { keyRoutes } from "../../../functions/api/keys.ts";
import { paymentRoutes } from "../../../functions/api/payments.ts";
import { providerRoutes } from "../../../functions/api/providers.ts";
import { settingsRoutes } from "../../../functions/api/settings.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { outbound } from "../outbound.ts";
import { documentVault, hashKey, vault, workQueue } from "../parts.ts";
import { payments } from "../payments.ts";
import { probes } from "../probes.ts";

export const handler = apiHandler(
  [...settingsRoutes, ...keyRoutes, ...auditRoutes, ...paymentRoutes, ...providerRoutes],
  {
    access: organizations({ queue: workQueue, vault, documentVault, hashKey, outbound, payments, probes }),
  },
);

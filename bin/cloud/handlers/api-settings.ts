import { auditRoutes } from "../../../functions/api/audit.ts";
import { keyRoutes } from "../../../functions/api/keys.ts";
import { paymentRoutes } from "../../../functions/api/payments.ts";
import { settingsRoutes } from "../../../functions/api/settings.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { outbound } from "../outbound.ts";
import { hashKey, vault, workQueue } from "../parts.ts";
import { payments } from "../payments.ts";

export const handler = apiHandler([...settingsRoutes, ...keyRoutes, ...auditRoutes, ...paymentRoutes], {
  access: organizations({ queue: workQueue, vault, hashKey, outbound, payments }),
});

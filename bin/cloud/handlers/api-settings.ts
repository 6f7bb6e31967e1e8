import { paymentRoutes } from "../../../functions/api/payments.ts";
import { settingsRoutes } from "../../../functions/api/settings.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { outbound } from "../outbound.ts";
import { vault, workQueue } from "../parts.ts";
import { payments } from "../payments.ts";

export const handler = apiHandler([...settingsRoutes, ...paymentRoutes], {
  access: organizations({ queue: workQueue, vault, outbound, payments }),
});

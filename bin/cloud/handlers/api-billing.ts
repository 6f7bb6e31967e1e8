import { billingRoutes } from "../../../functions/api/billing.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteEngine } from "../parts.ts";

export const handler = apiHandler(billingRoutes, { access: organizations({ documents: remoteEngine }) });

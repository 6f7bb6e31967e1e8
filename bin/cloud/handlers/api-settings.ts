import { settingsRoutes } from "../../../functions/api/settings.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { outbound } from "../outbound.ts";
import { vault, workQueue } from "../parts.ts";

export const handler = apiHandler(settingsRoutes, { access: organizations({ queue: workQueue, vault, outbound }) });

import { pageRoutes } from "../../../functions/api/pages.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteEngine } from "../parts.ts";

export const handler = apiHandler(pageRoutes, { access: organizations({ documents: remoteEngine }) });

import { configurationRoutes } from "../../../functions/api/configurations.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";

export const handler = apiHandler(configurationRoutes, { access: organizations({}) });

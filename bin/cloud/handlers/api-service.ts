import { openApiText } from "../../../functions/api/http/openapi.ts";
import { ROUTES } from "../../../functions/api/routes.ts";
import { serviceRoutes } from "../../../functions/api/service.ts";
import { apiHandler } from "../api.ts";

export const handler = apiHandler(serviceRoutes, {
  openapi: (version, config) => openApiText(ROUTES, version, config),
});

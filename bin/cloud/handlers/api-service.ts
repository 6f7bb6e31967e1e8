import { readReferenceScript } from "../../../functions/adapters/reference-script.ts";
import { withCompat } from "../../../functions/api/http/compat.ts";
import { openApiText } from "../../../functions/api/http/openapi.ts";
import { ROUTES } from "../../../functions/api/routes.ts";
import { serviceRoutes } from "../../../functions/api/service.ts";
import { apiHandler } from "../api.ts";

/** Also answers requests without a route: it is the handler that has the whole table. */
export const handler = apiHandler(serviceRoutes, {
  paths: withCompat(ROUTES),
  referenceScript: readReferenceScript,
  openapi: (version, config) => openApiText(ROUTES, version, config),
});

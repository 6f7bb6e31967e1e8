import { ServiceUnavailable } from "../../../ports/errors.ts";
import type { CallerRequest, Middleware } from "./middleware.ts";

const RETRY_AFTER_SECONDS = 60;

export const maintenanceError = (): ServiceUnavailable =>
  new ServiceUnavailable("The service is under maintenance; try again later", { retryAfter: RETRY_AFTER_SECONDS });

/** @throws ServiceUnavailable during maintenance */
export const refuseInMaintenance: Middleware<CallerRequest> = (next) => async (request) => {
  if (!request.services.maintenance) return next(request);
  throw maintenanceError();
};

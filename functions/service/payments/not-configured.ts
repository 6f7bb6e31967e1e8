import { ServiceUnavailable } from "../../ports/errors.ts";

/** The error of a deployment without a payment provider. */
export const notConfigured = (): ServiceUnavailable =>
  new ServiceUnavailable("Payments are not configured here; ask the service's operator for tokens");

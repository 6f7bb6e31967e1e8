/** Turns a model on in the deployment by its secret. */
import type { LambdaClientConfig } from "@aws-sdk/client-lambda";
import { writeSettings } from "./settings.ts";

/**
 * @param secret the ARN in the stack's output `ModelSecret`
 * @param settings as the environment of one machine
 */
export const setModel = (
  clientOptions: LambdaClientConfig,
  secret: string,
  settings: Record<string, string>,
): Promise<void> => writeSettings(clientOptions, { arn: secret, variable: "SHEAF_MODEL_SECRET" }, settings);

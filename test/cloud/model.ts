/** Turns a model on in the deployment by its secret, as an operator does. */
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  type LambdaClientConfig,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/**
 * A new secret takes effect within five minutes; functions that know the old one are restarted, so that no test waits.
 * @param secret the ARN in the stack's output `ModelSecret`
 * @param settings as the environment of one machine
 */
export async function setModel(
  clientOptions: LambdaClientConfig,
  secret: string,
  settings: Record<string, string>,
): Promise<void> {
  const secrets = new SecretsManagerClient({ ...clientOptions });
  await secrets.send(new PutSecretValueCommand({ SecretId: secret, SecretString: JSON.stringify(settings) }));
  secrets.destroy();
  const lambda = new LambdaClient({ ...clientOptions });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 200 }));
  let started = 0;
  for (const { FunctionName } of Functions) {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    if (Environment?.Variables?.SHEAF_MODEL_SECRET === undefined) continue;
    const Variables = { ...Environment.Variables, SHEAF_TEST_MODEL: settings.OPENAI_BASE_URL ?? "none" };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    started += 1;
  }
  lambda.destroy();
  if (started === 0) throw new Error("No function of the stack knows the model's secret");
}

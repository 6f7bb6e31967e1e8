/** Turns a model on in the deployment, as an operator does: by its secret. */
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  type LambdaClientConfig,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/**
 * What is in the secret is used within five minutes; the functions that know it are started anew, so that nobody waits.
 * @param secret the ARN that the stack's output `ModelSecret` names
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

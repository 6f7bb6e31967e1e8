/** Settings of the deployment in its secrets, written as an operator does. */
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
 * @param secret the ARN in the stack's outputs, and the variable in which the functions have it
 * @param settings as the environment of one machine
 */
export async function writeSettings(
  clientOptions: LambdaClientConfig,
  { arn, variable }: { arn: string; variable: string },
  settings: Record<string, string>,
): Promise<void> {
  const secrets = new SecretsManagerClient({ ...clientOptions });
  await secrets.send(new PutSecretValueCommand({ SecretId: arn, SecretString: JSON.stringify(settings) }));
  secrets.destroy();
  const lambda = new LambdaClient({ ...clientOptions });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 200 }));
  let started = 0;
  for (const { FunctionName } of Functions) {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    if (Environment?.Variables?.[variable] === undefined) continue;
    const Variables = { ...Environment.Variables, SHEAF_TEST_SETTINGS: String(Date.now()) };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
    started += 1;
  }
  lambda.destroy();
  if (started === 0) throw new Error(`No function of the stack knows ${variable}`);
}

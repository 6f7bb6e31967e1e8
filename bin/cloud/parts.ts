/** Ports that only some functions have; a bundle carries the ones that its entry names. */
import { lambdaClient, secretsClient, sqsClient, stepFunctionsClient } from "../../functions/adapters/aws/clients.ts";
import { openSqsQueue } from "../../functions/adapters/aws/queue.ts";
import { openRemoteEngine } from "../../functions/adapters/aws/remote-engine.ts";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { recordedSlots } from "../../functions/adapters/aws/slots.ts";
import { openStepFunctions } from "../../functions/adapters/aws/workflows.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import { measureTask } from "../../functions/engine/tasks/measure.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import type { WorkQueue } from "../../functions/ports/queue.ts";
import type { Slots } from "../../functions/ports/slots.ts";
import type { StateMachineDefinition, Workflows } from "../../functions/ports/workflows.ts";
import { type HashKey, hashUnder } from "../../functions/service/organizations/new-key.ts";
import { openVault, type Vault } from "../../functions/service/organizations/vault.ts";
import { pipelineRuns, recordOf } from "../../functions/service/pipelines/definitions.ts";
import { BUILT_IN_MACHINES, deployedName } from "../../statemachines/built-in.ts";
import { STEPS } from "../../statemachines/steps.ts";
import { ConfigError } from "../api-keys.ts";
import { queueAddresses, queueUrls, required, requiredJson } from "./environment.ts";
import type { Stores } from "./platform.ts";

const ROLE_ARN_PATTERN = /^arn:([a-z-]+):iam::(\d{12}):role\/.+$/;

export function stepFunctions({ env, clock, records }: Stores): Workflows {
  const roleArn = required(env, "SHEAF_MACHINE_ROLE");
  const [, partition = "", accountId = ""] = ROLE_ARN_PATTERN.exec(roleArn) ?? [];
  if (accountId === "") throw new ConfigError("SHEAF_MACHINE_ROLE is not a role's ARN");
  const region = required(env, "AWS_REGION");
  const namePrefix = required(env, "SHEAF_MACHINE_PREFIX");
  const arnOf = (service: string, rest: string) => `arn:${partition}:${service}:${region}:${accountId}:${rest}`;
  const functionOf = (step: string) => arnOf("lambda", `function:${deployedName(namePrefix, step)}`);
  const builtIn = Object.entries(BUILT_IN_MACHINES).map(([name, make]) => [deployedName(namePrefix, name), make()]);
  return openStepFunctions({
    client: stepFunctionsClient(),
    records: records(),
    clock,
    accountId,
    partition,
    region,
    roleArn,
    steps: Object.fromEntries(STEPS.map((step) => [step, functionOf(step)])),
    nodeQueues: requiredJson(env, "SHEAF_NODE_QUEUES", queueUrls),
    namePrefix,
    logGroupArn: arnOf("logs", `log-group:${required(env, "SHEAF_MACHINE_LOG")}`),
    deployed: Object.fromEntries(builtIn) as Record<string, StateMachineDefinition>,
    bucket: required(env, "SHEAF_BUCKET"),
  });
}

export function remoteEngine({ env, clock, blobs }: Stores): Engine {
  const functionName = required(env, "SHEAF_INSPECT_FUNCTION");
  return openRemoteEngine({ client: lambdaClient(), functionName, blobs: blobs(), clock });
}

/** The engine of functions that work on templates, in the function that carries its tasks. */
export function templateEngine({ env, clock, blobs }: Stores): Engine {
  const functionName = required(env, "SHEAF_TEMPLATE_FUNCTION");
  return openRemoteEngine({ client: lambdaClient(), functionName, blobs: blobs(), clock });
}

/** Tasks of the function that inspects uploads. */
const INSPECTING_TASKS: ReadonlySet<string> = new Set([inspectTask.name, measureTask.name]);

/** The same, with the inspection of uploads. */
export function inspectingTemplateEngine(stores: Stores): Engine {
  const [inspection, templates] = [remoteEngine(stores), templateEngine(stores)];
  return {
    run: (task, payload, limits) =>
      (INSPECTING_TASKS.has(task.name) ? inspection : templates).run(task, payload, limits),
    close: async () => {
      await Promise.all([inspection.close(), templates.close()]);
    },
  };
}

export function workQueue({ env, clock, records }: Stores): WorkQueue {
  const queues = requiredJson(env, "SHEAF_QUEUES", queueAddresses);
  return openSqsQueue({ client: sqsClient(), queues, records: records(), clock });
}

export const slots = ({ clock, records }: Stores): Slots => recordedSlots(records(), clock);

/** The bytes of a secret, named by a variable. */
const secretOf =
  (variable: string) =>
  ({ env, clock }: Stores): (() => Promise<Uint8Array>) => {
    const secrets = openSecrets({ client: secretsClient(), clock });
    return async () => Buffer.from(await secrets.text(required(env, variable)), "utf8");
  };

const serverKey = secretOf("SHEAF_SERVER_KEY_SECRET");

/** The hashes of API keys, under the deployment's server key. */
export const hashKey = (stores: Stores): HashKey => hashUnder(serverKey(stores));

/** The secrets of organizations, encrypted with the deployment's server key. */
export const vault = (stores: Stores): Vault => openVault(serverKey(stores));

const documentKey = secretOf("SHEAF_DOCUMENT_KEY_SECRET");

/**
 * The passwords of documents and the keys of organizations' own providers, under a key of their own: functions that read
 * documents never see the server key.
 */
export const documentVault = (stores: Stores): Vault => openVault(documentKey(stores));

/** Parts of functions that open or end runs and make no machine: their bundles go without the compiler. */
export const runOpenings = { workflows: stepFunctions, pipelines: { recordOf } };

/** Parts of functions that open or start runs. */
export const runStarts = { workflows: stepFunctions, pipelines: pipelineRuns };

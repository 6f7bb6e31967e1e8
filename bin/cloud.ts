/** The CDK app: `npx cdk synth`, `npx cdk deploy`. Needs neither an account nor the network to synthesize. */
import { resolve } from "node:path";
import { App, type Environment, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { RECORDS_TABLE } from "../functions/adapters/aws/table.ts";
import { emitDefinition, MAX_PREFIX_CHARACTERS } from "../functions/adapters/aws/workflows-machine.ts";
import { withCompat } from "../functions/api/http/compat.ts";
import { RESOURCES } from "../functions/api/routes.ts";
import type { StateMachineDefinition } from "../functions/ports/workflows.ts";
import { EDGE_REGION, EdgeStack } from "../lib/edge.ts";
import { variable } from "../lib/machines.ts";
import { SheafStack } from "../lib/stack.ts";
import { BUILT_IN_MACHINES } from "../statemachines/built-in.ts";
import { STEPS } from "../statemachines/steps.ts";
import { ConfigError } from "./api-keys.ts";
import { parseBilling, ratesText } from "./billing.ts";
import { LOG_LEVELS } from "./cloud/environment.ts";
import { parseCloudOptions } from "./deployment-options.ts";
import { parseLimits, parseWholeNumber } from "./limits.ts";
import { VERSION } from "./local/version.ts";
import { parsePublicUrl } from "./payments.ts";
import { parseRateLimit } from "./rate-limit.ts";

/** The limits that a deployment can set. */
const LIMIT_SETTINGS = ["SHEAF_RETENTION_DAYS", "SHEAF_AUDIT_DAYS", "SHEAF_MAX_OPEN_RUNS", "SHEAF_ORG_OPEN_RUNS"];

/** The limits that steps hold besides the API. */
const SHARED_SETTINGS = ["SHEAF_PAGE_QUOTA", "SHEAF_START_RATE"];
/** Most characters of rates, as they reach the functions: their environment has 4 KB in all. */
const MAX_RATES_CHARACTERS = 500;
/**
 * As many starts a minute as requests by default, and fewer at once than the 10 executions of a new account, so that
 * one organization's burst leaves some.
 */
const DEFAULT_START_RATE = "60:6";

/** The settings among these names that the context sets. */
function contextSettings(app: App, names: readonly string[]): Record<string, string> {
  const values = names.map((name): [string, unknown] => [name, app.node.tryGetContext(name)]);
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

/** Limits: of the API and the sweep, and of all functions. @throws ConfigError for an invalid one */
function limitSettings(app: App): { settings: Record<string, string>; shared: Record<string, string> } {
  const settings = contextSettings(app, LIMIT_SETTINGS);
  const shared = { SHEAF_START_RATE: DEFAULT_START_RATE, ...contextSettings(app, SHARED_SETTINGS) };
  parseLimits({ ...settings, ...shared });
  return { settings, shared };
}

/** Billing of the API, and of all functions. @throws ConfigError for an invalid setting */
function billingSettings(app: App): { api: Record<string, string>; shared: Record<string, string> } {
  const api = contextSettings(app, ["SHEAF_CHECKOUT_URL", "SHEAF_PORTAL_URL"]);
  const { SHEAF_RATES, ...wish } = contextSettings(app, ["SHEAF_BILLING", "SHEAF_RATES"]);
  const { mode } = parseBilling({ ...api, ...wish, SHEAF_RATES }, "record");
  if (SHEAF_RATES === undefined) return { api, shared: { SHEAF_BILLING: mode } };
  // The functions have no such file.
  const rates = JSON.stringify(JSON.parse(ratesText(SHEAF_RATES).text));
  if (rates.length <= MAX_RATES_CHARACTERS) return { api, shared: { SHEAF_BILLING: mode, SHEAF_RATES: rates } };
  throw new ConfigError(`SHEAF_RATES has more than ${MAX_RATES_CHARACTERS} characters; leave out sets of the past`);
}

/** A setting of the context with a fixed set of values. @throws ConfigError for another value */
function enumSetting(app: App, name: string, words: readonly string[]): Record<string, string> {
  const setting = contextSettings(app, [name]);
  const { [name]: word } = setting;
  if (word === undefined || words.includes(word)) return setting;
  throw new ConfigError(`${name} must be one of ${words.join(", ")}`);
}

/** The definitions of the built-in machines, with variables that CloudFormation substitutes. */
function builtInMachines(): Record<string, string> {
  const settings = {
    namePrefix: "",
    roleArn: "",
    steps: Object.fromEntries(STEPS.map((step) => [step, variable(step)])),
    bucket: variable("bucket"),
    partition: variable("partition"),
    region: variable("region"),
    accountId: variable("account"),
  };
  const emit = (machine: unknown) => emitDefinition(machine as StateMachineDefinition, settings);
  return Object.fromEntries(Object.entries(BUILT_IN_MACHINES).map(([name, make]) => [name, emit(make())]));
}

/**
 * The stack's name, which is the prefix of functions and machines. @throws ConfigError for a name that is too long for
 * them
 */
function stackName(wished: string): string {
  if (wished.length < MAX_PREFIX_CHARACTERS) return wished;
  throw new ConfigError(`The stack's name may have ${MAX_PREFIX_CHARACTERS - 1} characters`);
}

/** The stack of the web ACL, of which CloudFront has those of one region only. */
function makeEdgeStack(app: App, name: string, requestsPerAddress: number, env?: Environment): EdgeStack {
  const stackName = `${name}-Edge`;
  return new EdgeStack(app, stackName, {
    description: `Sheaf ${VERSION}, requests from outside`,
    env: { ...env, region: EDGE_REGION },
    requestsPerAddress,
  });
}

/**
 * The CDK tells of a stack from 400 resources on, as if of a fault; a test of the template holds CloudFormation's limit
 * of 500. Two of five resources are routes, each one a second time below /compat.
 */
const NO_RESOURCE_COUNT = { "@aws-cdk/core:stackResourceLimit": 0 };

/**
 * @param context as from `cdk --context`: `stack` is the stack's name; `rateLimit` is SHEAF_RATE_LIMIT (60:100);
 * SHEAF_RETENTION_DAYS and others are limits; SHEAF_MAINTENANCE=1 makes the API answer 503; SHEAF_LOG is the log level;
 * SHEAF_API_CONCURRENCY reserves executions for each function of the API. It is unset by default: a new account has 10
 * executions in all, and a deployment that reserves any fails
 * Others are in deployment-options.ts.
 * @param env account and region, where the template is for one alone; default: any
 */
export function cloudApp(
  context: Record<string, unknown> = {},
  env?: Environment,
): {
  app: App;
  stack: SheafStack;
} {
  const app = new App({ context: { ...NO_RESOURCE_COUNT, ...context } });
  const root = resolve(import.meta.dirname, "..");
  const setting = (name: string, otherwise: string): string => {
    const value: unknown = app.node.tryGetContext(name);
    return typeof value === "string" ? value : otherwise;
  };
  const rateLimit = setting("rateLimit", "60:100");
  // An unreadable rate limit is refused before the deployment.
  parseRateLimit(rateLimit);
  const concurrency = "SHEAF_API_CONCURRENCY";
  const apiConcurrency = parseWholeNumber(contextSettings(app, [concurrency]), concurrency, 0, 1, 1000);
  const { settings, shared } = limitSettings(app);
  const billing = billingSettings(app);
  const { edgeRateLimit, ...options } = parseCloudOptions((one) => app.node.tryGetContext(one));
  const publicUrl = parsePublicUrl(contextSettings(app, ["SHEAF_PUBLIC_URL"]));
  const name = stackName(setting("stack", "Sheaf"));
  const edge = edgeRateLimit === undefined ? undefined : makeEdgeStack(app, name, edgeRateLimit, env);
  const stack = new SheafStack(app, name, {
    ...options,
    ...(edge === undefined ? {} : { edgeStack: edge.stackName }),
    ...(env === undefined ? {} : { env }),
    description: `Sheaf ${VERSION}, document processing`,
    version: VERSION,
    sources: { root, handlers: resolve(root, "bin/cloud/handlers") },
    table: RECORDS_TABLE,
    resources: Object.fromEntries(Object.entries(RESOURCES).map(([name, routes]) => [name, withCompat(routes)])),
    steps: STEPS,
    machines: builtInMachines(),
    settings,
    ...(publicUrl === null ? {} : { publicUrl }),
    ...(apiConcurrency === 0 ? {} : { apiConcurrency }),
    apiSettings: { SHEAF_RATE_LIMIT: rateLimit, ...billing.api, ...enumSetting(app, "SHEAF_MAINTENANCE", ["0", "1"]) },
    everywhere: { ...enumSetting(app, "SHEAF_LOG", LOG_LEVELS), ...shared, ...billing.shared },
  });
  if (edge !== undefined) stack.addStackDependency(edge);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
}

if (import.meta.main) cloudApp().app.synth();

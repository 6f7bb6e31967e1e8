/** The CDK app: `npx cdk synth`, `npx cdk deploy`. Needs neither an account nor the network to synthesize. */
import { resolve } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { RECORDS_TABLE } from "../functions/adapters/aws/table.ts";
import { emitDefinition, MAX_PREFIX_CHARACTERS } from "../functions/adapters/aws/workflows-machine.ts";
import { withCompat } from "../functions/api/http/compat.ts";
import { RESOURCES } from "../functions/api/routes.ts";
import type { StateMachineDefinition } from "../functions/ports/workflows.ts";
import { variable } from "../lib/machines.ts";
import { SheafStack } from "../lib/stack.ts";
import { BUILT_IN_MACHINES } from "../statemachines/built-in.ts";
import { STEPS } from "../statemachines/steps.ts";
import { ConfigError } from "./api-keys.ts";
import { LOG_LEVELS } from "./cloud/environment.ts";
import { parseLimits, wholeNumber } from "./limits.ts";
import { VERSION } from "./local/version.ts";
import { parseRateLimit } from "./rate-limit.ts";

/** The limits that a deployment can set. */
const SETTINGS = ["SHEAF_RETENTION_DAYS", "SHEAF_MAX_OPEN_RUNS", "SHEAF_ORG_OPEN_RUNS"];

/** What the context sets of some settings. */
function given(app: App, names: readonly string[]): Record<string, string> {
  const values = names.map((name): [string, unknown] => [name, app.node.tryGetContext(name)]);
  return Object.fromEntries(
    values.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

/** What the context sets of the limits. @throws ConfigError for one that cannot be used */
function settingsOf(app: App): Record<string, string> {
  const settings = given(app, SETTINGS);
  parseLimits(settings);
  return settings;
}

/** What the context sets that is one of a few words. @throws ConfigError for another */
function oneOf(app: App, name: string, words: readonly string[]): Record<string, string> {
  const setting = given(app, [name]);
  const { [name]: word } = setting;
  if (word === undefined || words.includes(word)) return setting;
  throw new ConfigError(`${name} must be one of ${words.join(", ")}`);
}

/** The built-in machines as Step Functions gets them, with variables for what the stack knows when it is deployed. */
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

/** Begins the names of functions and machines. @throws ConfigError for one that leaves them no room */
function stackName(wished: string): string {
  if (wished.length < MAX_PREFIX_CHARACTERS) return wished;
  throw new ConfigError(`The stack's name may have ${MAX_PREFIX_CHARACTERS - 1} characters`);
}

/**
 * @param context as `cdk --context` gives it: `stack` names the stack, `rateLimit` is SHEAF_RATE_LIMIT (60:100),
 * SHEAF_RETENTION_DAYS and others set its limits, SHEAF_MAINTENANCE=1 has its API answer 503, SHEAF_LOG says how much
 * its functions log, and SHEAF_API_CONCURRENCY reserves so many executions for each function
 * of the API: none unless it is given, for a new account has 10 in all, and then a deployment that reserves any fails
 */
export function cloudApp(context: Record<string, unknown> = {}): { app: App; stack: SheafStack } {
  const app = new App({ context });
  const root = resolve(import.meta.dirname, "..");
  const setting = (name: string, otherwise: string): string => {
    const value: unknown = app.node.tryGetContext(name);
    return typeof value === "string" ? value : otherwise;
  };
  const rateLimit = setting("rateLimit", "60:100");
  // One that the functions could not read is refused before it is deployed.
  parseRateLimit(rateLimit);
  const concurrency = "SHEAF_API_CONCURRENCY";
  const apiConcurrency = wholeNumber(given(app, [concurrency]), concurrency, 0, 1, 1000);
  const stack = new SheafStack(app, stackName(setting("stack", "Sheaf")), {
    description: `Sheaf ${VERSION}, document processing`,
    version: VERSION,
    sources: { root, handlers: resolve(root, "bin/cloud/handlers") },
    table: RECORDS_TABLE,
    resources: Object.fromEntries(Object.entries(RESOURCES).map(([name, routes]) => [name, withCompat(routes)])),
    steps: STEPS,
    machines: builtInMachines(),
    settings: settingsOf(app),
    ...(apiConcurrency === 0 ? {} : { apiConcurrency }),
    apiSettings: { SHEAF_RATE_LIMIT: rateLimit, ...oneOf(app, "SHEAF_MAINTENANCE", ["0", "1"]) },
    everywhere: oneOf(app, "SHEAF_LOG", LOG_LEVELS),
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
}

if (import.meta.main) cloudApp().app.synth();

/** The CDK app: `npx cdk synth`, `npx cdk deploy`. Needs neither an account nor the network to synthesize. */
import { resolve } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { RECORDS_TABLE } from "../functions/adapters/aws/table.ts";
import { withCompat } from "../functions/api/http/compat.ts";
import { RESOURCES } from "../functions/api/routes.ts";
import { SheafStack } from "../lib/stack.ts";
import { STEPS } from "../statemachines/steps.ts";
import { parseLimits, wholeNumber } from "./limits.ts";
import { VERSION } from "./local/version.ts";
import { parseRateLimit } from "./rate-limit.ts";

/** The limits that a deployment can set. */
const SETTINGS = ["SHEAF_RETENTION_DAYS", "SHEAF_MAX_OPEN_RUNS", "SHEAF_ORG_OPEN_RUNS"];

/** What the context sets of the limits. @throws ConfigError for one that cannot be used */
function settingsOf(app: App): Record<string, string> {
  const given = SETTINGS.map((name): [string, unknown] => [name, app.node.tryGetContext(name)]);
  const settings = Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
  );
  parseLimits(settings);
  return settings;
}

/**
 * @param context as `cdk --context` gives it: `stack` names the stack, `rateLimit` is SHEAF_RATE_LIMIT (60:100),
 * SHEAF_RETENTION_DAYS and others set its limits, and SHEAF_API_CONCURRENCY reserves so many executions for each function
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
  const wished: unknown = app.node.tryGetContext("SHEAF_API_CONCURRENCY");
  const variables = wished === undefined ? {} : { SHEAF_API_CONCURRENCY: String(wished) };
  const apiConcurrency = wholeNumber(variables, "SHEAF_API_CONCURRENCY", 0, 1, 1000);
  const stack = new SheafStack(app, setting("stack", "Sheaf"), {
    description: `Sheaf ${VERSION}, document processing`,
    version: VERSION,
    sources: { root, handlers: resolve(root, "bin/cloud/handlers") },
    table: RECORDS_TABLE,
    resources: Object.fromEntries(Object.entries(RESOURCES).map(([name, routes]) => [name, withCompat(routes)])),
    steps: STEPS,
    settings: settingsOf(app),
    ...(apiConcurrency === 0 ? {} : { apiConcurrency }),
    rateLimit,
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
}

if (import.meta.main) cloudApp().app.synth();

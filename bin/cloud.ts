/** The CDK app: `npx cdk synth`, `npx cdk deploy`. Needs neither an account nor the network to synthesize. */
import { resolve } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { RECORDS_TABLE } from "../functions/adapters/aws/table.ts";
import { withCompat } from "../functions/api/http/compat.ts";
import { RESOURCES } from "../functions/api/routes.ts";
import { SheafStack } from "../lib/stack.ts";
import { BATCH_STEPS } from "../statemachines/batch.ts";
import { DOCUMENT_STEPS } from "../statemachines/document.ts";
import { VERSION } from "./local/version.ts";
import { parseRateLimit } from "./rate-limit.ts";

/** @param context as `cdk --context` gives it: `stack` names the stack, `rateLimit` is SHEAF_RATE_LIMIT (60:100) */
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
  const stack = new SheafStack(app, setting("stack", "Sheaf"), {
    description: `Sheaf ${VERSION}, document processing`,
    version: VERSION,
    sources: { root, handlers: resolve(root, "bin/cloud/handlers") },
    table: RECORDS_TABLE,
    resources: Object.fromEntries(Object.entries(RESOURCES).map(([name, routes]) => [name, withCompat(routes)])),
    steps: [...DOCUMENT_STEPS, ...BATCH_STEPS],
    rateLimit,
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
}

if (import.meta.main) cloudApp().app.synth();

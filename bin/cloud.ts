/** The CDK app: `npx cdk synth`, `npx cdk deploy`. Needs neither an account nor the network to synthesize. */
import { resolve } from "node:path";
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { RECORDS_TABLE } from "../functions/adapters/aws/table.ts";
import { RESOURCES } from "../functions/api/routes.ts";
import { SheafStack } from "../lib/stack.ts";
import { BATCH_STEPS } from "../statemachines/batch.ts";
import { DOCUMENT_STEPS } from "../statemachines/document.ts";
import { VERSION } from "./local/version.ts";

/** @param context as `cdk --context` gives it: `stack` names the stack */
export function cloudApp(context: Record<string, unknown> = {}): { app: App; stack: SheafStack } {
  const app = new App({ context });
  const root = resolve(import.meta.dirname, "..");
  const name: unknown = app.node.tryGetContext("stack");
  const stack = new SheafStack(app, typeof name === "string" ? name : "Sheaf", {
    description: `Sheaf ${VERSION}, document processing`,
    version: VERSION,
    sources: { root, handlers: resolve(root, "bin/cloud/handlers") },
    table: RECORDS_TABLE,
    resources: RESOURCES,
    steps: [...DOCUMENT_STEPS, ...BATCH_STEPS],
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, stack };
}

if (import.meta.main) cloudApp().app.synth();

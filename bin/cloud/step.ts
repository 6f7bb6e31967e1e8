/** Lambda functions behind a state machine's Tasks, one for each step. */
import type { Json } from "../../functions/ports/json.ts";
import { bindOrganization } from "../../functions/service/organizations/organization.ts";
import { executionName } from "../../functions/service/runs/job-records.ts";
import type { StepDefinition, StepInput } from "../../functions/steps/define-step.ts";
import { lazily } from "./environment.ts";
import { openPlatform, openStores, type Parts } from "./platform.ts";

/** Errors keep their names, which the machine's Retry and Catch match. */
export function stepHandler(define: StepDefinition, parts: Parts = {}): (input: Json) => Promise<Json> {
  const opened = lazily(() => {
    const stores = openStores(process.env);
    return { stores, model: parts.model?.(stores) };
  });
  return async (input) => {
    const { stores, model } = opened();
    return stores.observer.duringInvocation(async () => {
      const platform = openPlatform(stores, parts, (await model?.()) ?? null);
      const step = define((id) => bindOrganization(platform, id));
      const { guid = "", run = 0 } = (input ?? {}) as Partial<StepInput>;
      return step(input, { executionName: executionName(guid, run) });
    });
  };
}

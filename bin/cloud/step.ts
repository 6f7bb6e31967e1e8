/** The functions that a state machine's Tasks call, one for each step. */
import { executionName } from "../../functions/core/jobs/model.ts";
import { bindOrganization } from "../../functions/core/organizations/organization.ts";
import type { Json } from "../../functions/core/ports.ts";
import type { StepDefinition, StepInput } from "../../functions/steps/step.ts";
import { lazily } from "./environment.ts";
import { openPlatform, openStores, type Parts } from "./platform.ts";

/** An error thrown here keeps its name, which the machine's Retry and Catch match. */
export function stepHandler(define: StepDefinition, parts: Parts = {}): (input: Json) => Promise<Json> {
  const opened = lazily(() => {
    const stores = openStores(process.env);
    return { stores, model: parts.model?.(stores) };
  });
  return async (input) => {
    const { stores, model } = opened();
    const platform = openPlatform(stores, parts, (await model?.()) ?? null);
    const step = define((id) => bindOrganization(platform, id));
    const { guid = "", run = 0 } = (input ?? {}) as Partial<StepInput>;
    return step(input, { executionName: executionName(guid, run) });
  };
}

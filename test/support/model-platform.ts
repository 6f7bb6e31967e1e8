/** A platform in memory that really reads documents, in this process, and may ask a model at a test's server. */
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import type { ToolBox } from "../../functions/ports/tools.ts";
import { bindOrganization } from "../../functions/service/organizations/organization.ts";
import { directEngine } from "./engines.ts";
import { type TestPlatform, testPlatform } from "./platform.ts";

/** A model that is known to accept pictures. */
const MODEL = "gpt-4o";

/** @param url of the model's server; without one there is no model */
export function modelPlatform(url?: string, tools?: ToolBox): TestPlatform {
  const made = testPlatform(directEngine);
  const model =
    url === undefined
      ? null
      : openOpenAi({
          apiKey: "sk-test",
          baseUrl: url,
          models: { DEFAULT: MODEL, NANO: MODEL, MINI: MODEL, HIGH: MODEL },
          facts: {},
          clock: systemClock(),
        });
  Object.assign(made.platform.engines, { model, ...(tools === undefined ? {} : { tools }) });
  // Organizations were bound to the engines as they were.
  const { org, other, platform } = made;
  return { ...made, org: bindOrganization(platform, org.id), other: bindOrganization(platform, other.id) };
}

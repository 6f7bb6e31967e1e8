/** A platform in memory that reads documents for real, in this process, and may ask a model at a test's own server. */
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import { documentTasks } from "../../functions/engine/tasks/engine.ts";
import { engineMethods, type RunTask } from "../../functions/engine/tasks/methods.ts";
import type { ToolBox } from "../../functions/ports/tools.ts";
import { type TestPlatform, testPlatform } from "./platform.ts";

const run: RunTask = async (name, payload) => (documentTasks[name] as (given: unknown) => never)(payload);

/** One that is known to take pictures. */
const MODEL = "gpt-4o";

/** @param url of the model's server; without one, there is no model */
export function modelPlatform(url?: string, tools?: ToolBox): TestPlatform {
  const made = testPlatform(engineMethods(run));
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
  return made;
}
